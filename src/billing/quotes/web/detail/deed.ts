/** What is about to be done with a quote. */
export type Deed = 'send' | 'accept' | 'decline' | 'withdraw' | 'revise'
