export default {
  name: 'far-model',
  role: 'Far model',
  goal: 'Answer in a pool of its own',
  model: 'scripted',
  script: ({ inputs }: { inputs: { query?: string } }) => ({ text: `far ${inputs.query}` }),
}
