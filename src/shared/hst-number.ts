/** A GST/HST registration number as the CRA writes it: the nine digits of the business number, RT, and the number of the account. */
const hstNumber = /^(\d{9})RT(\d{4})$/

/** Normalizes a typed GST/HST registration number ('123456789 RT0001'); null if it is invalid. */
export function toHstNumber(typed: string): string | null {
  const [, business, account] = hstNumber.exec(typed.replace(/[\s-]/g, '').toUpperCase()) ?? []
  return business && account ? `${business} RT${account}` : null
}

export const hstNumberMessage = 'Enter an HST number like 123456789 RT0001'
