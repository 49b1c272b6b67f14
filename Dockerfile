# One image for all processes; the command selects the process. There is no syntax line, because it would pull a second image.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# No production package needs its install script. Temporal's core contains binaries for five platforms; only one is kept.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" \
       -exec rm -r {} +

FROM packages AS bundle
COPY . .
RUN node worker/build-workflows.ts
# The Temporal SDK reads the system's CA certificates, which the slim image lacks: write those that are built into Node.
RUN node -e 'fs.writeFileSync("dist/authorities.pem", tls.rootCertificates.join("\n"))'

# The dashboard is built in a separate stage, because its packages are not needed at run time.
FROM ${NODE_IMAGE} AS dashboard
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY client client
COPY core core
COPY dashboard dashboard
RUN node dashboard/build/main.ts

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="troupe"
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    ADMIN_PORT=9090 \
    DATA_DIR=/tmp \
    MALLOC_ARENA_MAX=2 \
    SSL_CERT_FILE=/app/dist/authorities.pem
COPY --from=packages /app/node_modules node_modules
COPY --from=bundle /app/dist dist
COPY --from=dashboard /app/dist/dashboard dist/dashboard
COPY . .
USER node
EXPOSE 8000 9090
# Node receives SIGTERM directly: an API process finishes its requests, a worker its activities (at most 30 s).
# Readiness: MongoDB and Temporal respond, and a worker polls. `docker inspect` shows the response. The check uses bash, because
# starting Node would cost a hundred times as much CPU, which is seconds on a busy machine.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["bash", "-c", "\
  exec 3<>/dev/tcp/127.0.0.1/$ADMIN_PORT && printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3 && read -r _ code _ <&3 && cat <&3 && [ $code = 200 ]"]
# These options save a third of the memory under load; dev/service-processes.ts explains them.
ENTRYPOINT ["node", "--max-semi-space-size=4", "--initial-old-space-size=48"]
CMD ["--heap-growing-percent=150", "api/main.ts"]
