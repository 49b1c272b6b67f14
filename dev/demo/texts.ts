/** Example text for the researcher. */
export const ARTICLE =
  `In 1854 a cholera outbreak killed more than 600 people in the London district of Soho. Most doctors of the time
believed that the disease spread through bad air. John Snow, a physician, did not. He went from door to door, asked where
each family had drawn its water, and marked every death on a map. The deaths clustered around one public pump in Broad
Street. A brewery close by had almost no cases: its workers drank beer, and the brewery had a well of its own. Snow took
his map to the parish board, and the handle of the pump was removed on 8 September 1854. The outbreak was already ebbing,
and the board put the handle back soon after. Later it was found that the well of the pump had been dug beside an old
cesspit, which had begun to leak. Snow's map is now taught as the beginning of epidemiology: he found the cause by counting,
long before anybody had seen the bacterium.`.replaceAll('\n', ' ')

/** Example reviews of customers. */
export const REVIEWS = [
  'Works like a charm, and the support team was wonderful.',
  'It broke on the second day. I am very disappointed.',
  'Arrived on Tuesday in a brown box.',
  'The best purchase I made this year!',
  'Terrible manual, but the device itself is excellent.',
  'I would not recommend this to anybody.',
  'Not bad at all for the price.',
  'My children love it and so do I.',
  'Loud, ugly and slow.',
  'It does what it says.',
  'A beautiful design with a poor battery.',
  'They lost my parcel twice and never apologised.',
  'Fantastic sound, easy to set up.',
  'The colour is slightly different from the picture.',
  'Refund was quick and friendly, thank you.',
  'A waste of money.',
  'Surprisingly good, I am impressed.',
  'The screen is scratched, the box was damaged.',
  'Helpful staff, happy customer.',
  'It is a chair. One can sit on it.',
]
