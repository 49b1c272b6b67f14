export default {
  name: 'big',
  role: 'Big',
  goal: 'Answer with as many bytes as asked for',
  run: ({ bytes }: { bytes: number }) => ({ text: 'x'.repeat(bytes) }),
}
