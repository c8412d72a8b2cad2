/** The provinces and territories that issue health cards. */
export const provinces = {
  ON: 'Ontario',
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
} as const
export type Province = keyof typeof provinces
export const provinceCodes = Object.keys(provinces) as [Province, ...Province[]]

/** The longest number as typed, with spaces and hyphens. */
export const maxTypedLength = 24

export const healthCardMessages = {
  missing: 'Enter the number of the card',
  ontarioLength: 'An Ontario health card number has 10 digits',
  ontarioCheck: 'This is not a valid Ontario health card number. Check each digit.',
  otherLength: 'Enter 6 to 12 letters and digits',
  versionCode: 'The version code is one or two letters',
  noVersionCode: 'Only Ontario cards have a version code',
} as const

/** The number without spaces and hyphens, in capitals. */
export const normalizeNumber = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

/** Whether the last digit is the check digit of the others (Luhn, ISO/IEC 7812-1). */
export function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

export interface CardFields {
  province: Province
  number: string
  versionCode: string | null
}

/** What is wrong with a normalized card, by field. Only Ontario's numbers have a known check digit. */
export function cardProblems({ province, number, versionCode }: CardFields): Partial<Record<'number' | 'versionCode', string>> {
  if (province !== 'ON')
    return {
      ...(!/^[A-Z\d]{6,12}$/.test(number) && { number: healthCardMessages.otherLength }),
      ...(versionCode !== null && { versionCode: healthCardMessages.noVersionCode }),
    }
  const isLong = /^\d{10}$/.test(number)
  return {
    ...(!isLong && { number: healthCardMessages.ontarioLength }),
    ...(isLong && !hasCheckDigit(number) && { number: healthCardMessages.ontarioCheck }),
    ...(versionCode !== null && !/^[A-Z]{1,2}$/.test(versionCode) && { versionCode: healthCardMessages.versionCode }),
  }
}

/** '4471': what is shown and stored apart from the sealed number. */
export const lastFour = (number: string): string => number.slice(-4)

/** '•••• 4471' */
export const maskNumber = (lastDigits: string): string => `•••• ${lastDigits}`

/** '4471 234 567 AB' in Ontario's groups; other numbers unchanged. */
export function formatNumber({ number, province, versionCode }: CardFields): string {
  const grouped = province === 'ON' ? number.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3') : number
  return versionCode === null ? grouped : `${grouped} ${versionCode}`
}

/** Which key seals the numbers (kernel/seal.ts). */
export const sealPurpose = 'health card'
