export default {
  name: 'special',
  role: 'Special',
  goal: 'Say where it runs',
  run: () => ({ pid: process.pid }),
}
