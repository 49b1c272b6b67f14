declare module 'stopword' {
  /** English words that say nothing about a text's subject. */
  export const eng: string[]
}
