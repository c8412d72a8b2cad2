/** With the full stop that ends it: words that end in one, as times of day do ('4:30 p.m.'), have theirs already. */
export const asSentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`)
