// A model agent of many steps: its stream has something to tell for a while.
const TURNS = 12

export default {
  name: 'talker',
  role: 'Talker',
  goal: 'Use a tool again and again',
  model: 'scripted',
  maxSteps: TURNS + 1,
  tools: [
    {
      name: 'note',
      description: 'Takes a note.',
      parameters: { type: 'object', properties: { turn: { type: 'integer' } }, required: ['turn'] },
      execute: ({ turn }: { turn: number }) => ({ noted: turn }),
    },
  ],
  script: ({ step }: { step: number }) =>
    step < TURNS ? { toolCalls: [{ name: 'note', arguments: { turn: step } }] } : { text: 'all noted' },
}
