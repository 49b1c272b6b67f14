import { expect } from 'chai'
import { ConfigError, loadConfig, settings } from '../../config.ts'

describe('The configuration', () => {
  const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: '/nowhere', ...env })

  it('refuses a list of keys that holds none: nobody would be asked for a key', () => {
    for (const SERVICE_API_KEY of [' , ', ',', ' ']) {
      expect(() => load({ SERVICE_API_KEY })).to.throw(/SERVICE_API_KEY must hold a key/)
    }
    expect(load({}).SERVICE_API_KEY).to.deep.equal([])
    expect(load({ SERVICE_API_KEY: 'a, b,' }).SERVICE_API_KEY).to.deep.equal(['a', 'b'])
  })

  it('refuses an origin that no browser would send', () => {
    for (const CORS_ORIGIN of ['app.example.org', 'https://app.example.org/', 'https://a.example,b']) {
      expect(() => load({ CORS_ORIGIN })).to.throw(/CORS_ORIGIN must be \* or origins/)
    }
    expect(load({ CORS_ORIGIN: 'https://a.example, http://localhost:3000' }).CORS_ORIGIN).to.have.length(2)
    expect(load({ CORS_ORIGIN: '*' }).CORS_ORIGIN).to.deep.equal(['*'])
  })

  it('refuses blanks where a number belongs, instead of taking them for 0', () => {
    for (const name of ['PORT', 'ADMIN_PORT', 'RESPONSE_OFFLOAD_BYTES', 'MAX_BACKLOG', 'TRACE_RETENTION_DAYS']) {
      expect(() => load({ [name]: ' ' }), name).to.throw(new RegExp(`${name} must be a (whole )?number`))
    }
    expect(load({ PORT: '', RESPONSE_OFFLOAD_BYTES: '0' })).to.include({ PORT: 8000, RESPONSE_OFFLOAD_BYTES: 0 })
    expect(() => load({ PORT: 'x' })).to.throw(/PORT/)
    expect(() => load({ PORT: '65536' })).to.throw(/PORT/)
  })

  describe('says of a wrong setting what it must be, an example, and what it is', () => {
    /** A wrong value of each setting that can be wrong by itself. */
    const wrong: Partial<Record<keyof typeof settings.shape, string>> = {
      HOST: 'http://localhost',
      PORT: 'abc',
      ADMIN_PORT: '-1',
      SERVICE_API_KEY: ', ,',
      CORS_ORIGIN: 'app.example.org',
      MAX_CONNECTIONS: '0',
      MAX_BACKLOG: 'many',
      MAX_BODY_BYTES: '32MB',
      WORKER_POOL: 'my pool',
      TEMPORAL_ADDRESS: 'http://127.0.0.1:7233',
      TEMPORAL_UI: 'localhost:8080',
      TEMPORAL_TLS: 'maybe',
      MONGODB_URI: 'root:pass-of-the-test@127.0.0.1:27017',
      MONGODB_DATABASE: 'my.data',
      S3_ENDPOINT: 'localhost:9000',
      S3_BUCKET: 'no',
      RESPONSE_OFFLOAD_BYTES: '4194305',
      TRACE_RETENTION_DAYS: '30d',
      EXECUTION_RETENTION_DAYS: '0',
      NETWORK_ALLOW_PRIVATE: 'http://10.0.0.1',
      TRACING: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'all',
      LOG_LEVEL: 'verbose',
      MODEL: 'gpt-5-mini',
      LIMITS: '{"openai": {"rpm": 0}}',
      MODEL_TIMEOUT_MS: '30s',
      FROZEN_WORKER_MS: '1.5',
      OPENAI_BASE_URL: 'https//llm.example.org',
      OPENAI_API: 'completions',
      ANTHROPIC_BASE_URL: 'llm.example.org',
      GOOGLE_BASE_URL: 'file:///tmp',
      GROQ_BASE_URL: 'https://',
      OPENAI_COMPATIBLE_BASE_URL: 'somebody:pass-of-the-test@llm.example.org',
    }
    /** Any text is one: paths, names and keys, which are tried where they are used. */
    const free =
      /^(DATA_DIR|API_KEYS_FILE|ALLOWED_HOSTS|AGENTS_DIR|PRICES_FILE|DOCKER_HOST|S3_REGION|TEMPORAL_(NAMESPACE|TLS_.*)|AWS_.*|.*_API_KEY)$/

    for (const name of Object.keys(settings.shape) as (keyof typeof settings.shape)[]) {
      const value = wrong[name]
      if (value === undefined) {
        it(`${name}: takes any text`, () => {
          expect(name).to.match(free)
          expect(load({ [name]: 'any text' })).to.have.property(name)
        })
        continue
      }
      it(`${name}=${value}`, () => {
        const isHidden = name === 'SERVICE_API_KEY' || value.includes('@')
        const refusal = expect(() => load({ [name]: value })).to.throw(ConfigError)
        refusal.with.property('message').that.satisfies((message: string) => {
          expect(message).to.match(new RegExp(`^The environment is wrong: ${name} (each entry )?(must|"openai")`))
          expect(message).to.match(/such as |as in |one of .*, |true or false/)
          expect(message).to.not.match(/NaN|invalid|expected|undefined|pass-of-the-test/i)
          return message.endsWith(
            isHidden
              ? ', but is something else, which may be secret and is not shown.'
              : `, but is ${JSON.stringify(value)}.`,
          )
        })
      })
    }

    it('names all that are wrong, each once, and cuts what is long', () => {
      const sentence = /PORT must be .* but is "-1\.5"; LOG_LEVEL must be one of .* but is "x{100}…"\.$/
      expect(() => load({ PORT: '-1.5', LOG_LEVEL: 'x'.repeat(10_000) })).to.throw(sentence)
    })
  })
})
