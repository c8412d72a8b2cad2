import { formatPercent, type Language } from '../../shared/translations.ts'
import { percentOfRate } from './rules.ts'

/*
 * The names of taxes and payment methods that a patient reads, in the patient's language. Staff read those of rules.ts.
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
