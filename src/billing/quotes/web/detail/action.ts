/** What is about to be done with a quote. */
export type Action = 'send' | 'accept' | 'decline' | 'withdraw' | 'revise'
