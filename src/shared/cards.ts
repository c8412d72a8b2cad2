import type { Language } from './translations.ts'

/** What is known of a card: its network, as Stripe calls it, and its last digits. */
export interface NamedCard {
  brand: string
  last4: string
}

const brandNames: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', interac: 'Interac' }
const endingIn = { en: 'ending in', fr: 'se terminant par' } as const

/** 'Visa ending in 4242'. */
export const cardName = ({ brand, last4 }: NamedCard, language: Language = 'en'): string =>
  `${brandNames[brand] ?? brand} ${endingIn[language]} ${last4}`

const yours = { en: 'your', fr: 'votre carte' } as const
const unnamed = { en: 'your card', fr: 'votre carte' } as const

/** 'your Visa ending in 4242'; 'your card' if nothing is known about it. */
export const yourCard = (card: NamedCard | null, language: Language): string =>
  card ? `${yours[language]} ${cardName(card, language)}` : unnamed[language]
