import { formatCents, formatPercent, type Language, translations } from '../../shared/translations.ts'
import { percentOfRate } from './rules.ts'

/*
 * The names of taxes, payment methods and deposits that a patient reads, in the patient's language. Staff read those of rules.ts.
 */

const frenchTaxes: Record<string, string> = { HST: 'TVH', GST: 'TPS', PST: 'TVP', QST: 'TVQ' }
const frenchCodes: Record<string, string> = { exempt: 'Exonéré', 'zero-rated': 'Détaxé', 'out of scope': 'Hors du champ de la taxe' }

/** The name of a tax code: 'HST ON', 'TVH ON'. A label of the practice's own stays. */
export const patientTaxCode = (name: string, language: Language): string =>
  language === 'en'
    ? name
    : (frenchCodes[name.toLowerCase()] ?? name.replace(/\b(?:HST|GST|PST|QST)\b/g, (abbreviation) => frenchTaxes[abbreviation]!))

/** 'HST 13%', 'TVH 13 %'; just the name for a zero rate, and for a name that has it. */
export const patientTax = ({ name, rate }: { name: string; rate: number }, language: Language): string => {
  const code = patientTaxCode(name, language)
  return rate === 0 || /\d\s*%/.test(name) ? code : `${code} ${formatPercent(Number(percentOfRate(rate)), language)}`
}

const frenchMethods: Record<string, string> = {
  Cash: 'Argent comptant',
  Cheque: 'Chèque',
  Debit: 'Carte de débit',
  Transfer: 'Virement',
  Other: 'Autre',
  'Card online': 'Carte en ligne',
  'Gift card': 'Carte-cadeau',
  Package: 'Forfait',
  'Store credit': 'Crédit',
  Goodwill: 'Geste commercial',
}

/** The name of a payment method. One that is not the point of sale's own stays. */
export const patientMethod = (method: string, language: Language): string =>
  language === 'en' ? method : (frenchMethods[method] ?? method)

const depositTexts = translations(
  {
    deposit: 'Deposit for future treatment',
    payment: 'Payment to your account',
    partDeposit: 'Payment of {{paid}} to your account, and a deposit of {{rest}} for future treatment',
  },
  {
    deposit: 'Acompte pour un traitement à venir',
    payment: 'Paiement à votre compte',
    partDeposit: 'Paiement de {{paid}} à votre compte et acompte de {{rest}} pour un traitement à venir',
  },
)

/** What a receipt that was taken in advance is for: as far as it was applied to charges it is a payment, and only the rest a deposit. */
export function describeDeposit({ totalCents }: { totalCents: number }, appliedCents: number, language: Language): string {
  const t = depositTexts[language]
  if (appliedCents <= 0) return t('deposit')
  const money = (cents: number) => formatCents(cents, language)
  return appliedCents >= totalCents ? t('payment') : t('partDeposit', { paid: money(appliedCents), rest: money(totalCents - appliedCents) })
}
