export default {
  name: 'crowd-member',
  role: 'Member of a crowd',
  goal: 'Say its number',
  model: 'scripted',
  script: ({ inputs }: { inputs: { n: number } }) => ({ text: `member ${inputs.n}` }),
}
