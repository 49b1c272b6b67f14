export default {
  name: 'constructor',
  role: 'Namesake',
  goal: 'Be called like a property that every object inherits',
  run: () => ({ built: true }),
}
