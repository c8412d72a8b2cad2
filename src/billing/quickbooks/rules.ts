/** What is kept here of the company's books, so that most of a sale needs no call. */
export const listKinds = ['account', 'class', 'tax-code', 'item', 'customer'] as const
export type ListKind = (typeof listKinds)[number]

/**
 * - `off`: this installation has no credentials. - `none`: no one has connected it. - `connected`.
 * - `reconnect`: QuickBooks no longer accepts the connection, and an administrator has to connect again.
 */
export const connectionStates = ['off', 'none', 'connected', 'reconnect'] as const

/** Milliseconds: how old the kept lists may become before they are read again in the background. */
export const listsAge = 60 * 60_000

/** Spec 2: the accounts that a payment can go to. They wait there until the bank's statement clears them. */
export const isClearing = ({ name, type, subType }: { name: string; type: string; subType: string | null }): boolean =>
  type === 'Other Current Asset' && (subType === 'UndepositedFunds' || /clearing|undeposited/i.test(name))
