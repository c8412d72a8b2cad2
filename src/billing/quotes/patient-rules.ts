import { formatPercent, type Language } from '../../shared/translations.ts'
import type { Discount, PaymentPlan } from './rules.ts'
import { quoteTexts } from './texts.ts'

/*
 * The names that a patient reads, in the patient's language. Staff read those of rules.ts.
 */

/** 'Quote 1042', with the version number from the second version on. */
export const patientQuoteName = ({ number, revision }: { number: number; revision: number }, language: Language): string =>
  revision > 1 ? quoteTexts[language]('nameOfVersion', { number, revision }) : quoteTexts[language]('name', { number })

/** What the charge of an accepted quote is for: 'Quote 1042: Rhinoplasty', 'Soumission 1042 : Rhinoplastie'. */
export const patientChargeName = (quote: { number: number; revision: number }, title: string, language: Language): string =>
  quoteTexts[language]('charge', { name: patientQuoteName(quote, language), title })

/** 'Discount, 10%'; 'Discount' for an amount. */
export const patientDiscount = ({ discountPercent }: Pick<Discount, 'discountPercent'>, language: Language): string =>
  discountPercent === null
    ? quoteTexts[language]('discount')
    : quoteTexts[language]('discountOf', { percent: formatPercent(discountPercent / 100, language) })

/** 'Instalment 1 of 2, before surgery' for each instalment, in order. Names that the practice typed are kept. */
export function patientInstalments(plan: PaymentPlan, surgeryDay: string | null, language: Language): string[] {
  const t = quoteTexts[language]
  const { depositCents, instalments } = plan
  const nameOf = (index: number): string => {
    if (instalments.length > 1) return t('instalment', { at: index + 1, of: instalments.length })
    return depositCents > 0 ? t('balance') : t('fullPayment')
  }
  return instalments.map(({ name, dueOn }, index) => {
    const payment = name ?? nameOf(index)
    if (surgeryDay === null) return payment
    return t(`timed.${dueOn === surgeryDay ? 'on' : dueOn < surgeryDay ? 'before' : 'after'}`, { payment })
  })
}
