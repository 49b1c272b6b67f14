declare module 'stopword' {
  /** English words that carry no information about a text's subject. */
  export const eng: string[]
}
