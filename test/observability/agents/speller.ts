export default {
  name: 'speller',
  role: 'Speller',
  goal: 'Answer at once',
  model: 'scripted',
  script: ({ inputs }: { inputs: { query: string; fail?: boolean } }) => {
    if (inputs.fail) throw new Error('a secret sentence')
    return { text: 'spelled', usage: { prompt_tokens: 3, completion_tokens: 2 } }
  },
}
