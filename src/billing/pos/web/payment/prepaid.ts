/** A gift card or store credit that is to pay a part of the sale. */
export interface PrepaidChoice {
  /** 'Gift card ending in 4TLC' */
  label: string
  /** Of a gift card. */
  code?: string
  /** Of store credit. */
  accountId?: string
  balanceCents: number
}

/** What each pays of the total, in order, in cents, and what is left to pay in money. */
export function spreadPrepaid(choices: readonly PrepaidChoice[], total: number): { paid: number[]; moneyCents: number } {
  let moneyCents = total
  const paid = choices.map(({ balanceCents }) => {
    const part = Math.min(balanceCents, moneyCents)
    moneyCents -= part
    return part
  })
  return { paid, moneyCents }
}
