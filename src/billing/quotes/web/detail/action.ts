/** The action whose dialog is open on a quote. */
export type Action = 'send' | 'accept' | 'decline' | 'withdraw' | 'revise'
