export default {
  name: 'free',
  role: 'Free',
  goal: 'Cost what PRICES_FILE says',
  model: 'scripted',
  script: () => ({ text: 'for nothing' }),
}
