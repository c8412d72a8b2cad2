/** Stripe's test cards: their numbers and the tokens of payment methods (docs, "Testing"). */

/** What happens when a card is charged. `null`: it is paid. */
export type Outcome = { code: string; decline_code?: string; message: string } | null

const declined = (decline_code: string, message = 'Your card was declined.'): Outcome => ({ code: 'card_declined', decline_code, message })

export type TestCard = {
  brand: string
  number: string
  outcome: Outcome
  /** It can't even be saved. Others are refused only when they are charged. */
  isRefusedAtOnce?: boolean
  /** Each payment with the patient present has to be authenticated. */
  needsAuthentication?: boolean
  /** The payment is disputed as fraudulent at once. */
  isDisputed?: boolean
}

/** What a card whose last month is over gets, whichever card it is. */
export const expired: Outcome = { code: 'expired_card', message: 'Your card has expired.' }

const generic: TestCard = { brand: 'visa', number: '4000000000000002', outcome: declined('generic_decline'), isRefusedAtOnce: true }
const funds: TestCard = {
  brand: 'visa',
  number: '4000000000009995',
  outcome: declined('insufficient_funds', 'Your card has insufficient funds.'),
  isRefusedAtOnce: true,
}

/** By the token of a payment method. */
export const testCards: Record<string, TestCard> = {
  pm_card_visa: { brand: 'visa', number: '4242424242424242', outcome: null },
  pm_card_mastercard: { brand: 'mastercard', number: '5555555555554444', outcome: null },
  pm_card_amex: { brand: 'amex', number: '378282246310005', outcome: null },
  pm_card_ca: { brand: 'visa', number: '4000001240000000', outcome: null },
  pm_card_chargeDeclined: generic,
  pm_card_chargeDeclinedInsufficientFunds: funds,
  pm_card_visa_chargeDeclinedInsufficientFunds: funds,
  pm_card_chargeDeclinedExpiredCard: {
    brand: 'visa',
    number: '4000000000000069',
    outcome: expired,
    isRefusedAtOnce: true,
  },
  pm_card_chargeDeclinedIncorrectCvc: {
    brand: 'visa',
    number: '4000000000000127',
    outcome: { code: 'incorrect_cvc', message: 'Your card’s security code is incorrect.' },
    isRefusedAtOnce: true,
  },
  pm_card_chargeDeclinedProcessingError: {
    brand: 'visa',
    number: '4000000000000119',
    outcome: { code: 'processing_error', message: 'An error occurred while processing your card. Try again in a little bit.' },
    isRefusedAtOnce: true,
  },
  pm_card_chargeDeclinedLostCard: {
    brand: 'visa',
    number: '4000000000009987',
    outcome: declined('lost_card'),
    isRefusedAtOnce: true,
  },
  pm_card_chargeCustomerFail: { brand: 'visa', number: '4000000000000341', outcome: declined('generic_decline') },
  pm_card_authenticationRequired: { brand: 'visa', number: '4000002760003184', outcome: null, needsAuthentication: true },
  pm_card_createDispute: { brand: 'visa', number: '4000000000000259', outcome: null, isDisputed: true },
}

/** An Interac debit card presented at a reader. */
const interac: TestCard = { brand: 'interac', number: '4506445006931933', outcome: null }

/** @returns undefined for a number that Stripe's test mode does not have. */
export const cardWithNumber = (number: string): TestCard | undefined =>
  [...Object.values(testCards), interac].find((card) => card.number === number.replaceAll(/\D/g, ''))
