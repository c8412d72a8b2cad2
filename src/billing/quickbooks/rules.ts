/** The QuickBooks lists that are cached, so that a sale needs few calls. */
export const listKinds = ['account', 'class', 'tax-code', 'item', 'customer'] as const
export type ListKind = (typeof listKinds)[number]

/**
 * - `off`: this installation has no credentials. - `none`: not connected yet. - `connected`.
 * - `reconnect`: QuickBooks no longer accepts the connection, and an administrator must reconnect.
 */
export const connectionStates = ['off', 'none', 'connected', 'reconnect'] as const

/** Milliseconds after which cached lists are refreshed in the background. */
export const listsAge = 60 * 60_000

/** Spec 2: the accounts that payments can go to. Payments stay there until the bank statement clears them. */
export const isClearing = ({ name, type, subType }: { name: string; type: string; subType: string | null }): boolean =>
  type === 'Other Current Asset' && (subType === 'UndepositedFunds' || /clearing|undeposited/i.test(name))
