import { translations } from '../../../shared/translations.ts'

/** Stripe's form for a card. */
export const en = {
  cardDetails: 'Card details',
  secure: 'Your card details go directly to Stripe, which processes the payment. {{practice}} never sees them.',
  paying: 'Paying…',
  loadingForm: 'Loading the card form',
  notLoaded: 'The card form could not be loaded. Nothing was charged. Please check your connection and try again.',
  incomplete: 'Please complete your card details.',
  failures: {
    insufficient_funds: 'Your bank declined the payment: not enough funds. Nothing was charged. Please use another card.',
    expired_card: 'This card has expired. Nothing was charged. Please use another card.',
    incorrect_cvc: 'The security code is incorrect. Nothing was charged. Please check it and try again.',
    processing_error: 'The bank could not process the payment. Nothing was charged. Please try again in a moment.',
    authentication_required: 'Your bank could not confirm that it’s you. Nothing was charged. Please try again or use another card.',
    declined: 'Your bank declined the payment. Nothing was charged. Please use another card, or call your bank.',
  },
} as const

export const fr = {
  cardDetails: 'Renseignements de la carte',
  secure: 'Les renseignements de votre carte vont directement à Stripe, qui traite le paiement. {{practice}} ne les voit jamais.',
  paying: 'Paiement en cours…',
  loadingForm: 'Chargement du formulaire de carte',
  notLoaded: 'Le formulaire de carte n’a pas pu être chargé. Rien n’a été débité. Vérifiez votre connexion et réessayez.',
  incomplete: 'Veuillez remplir tous les renseignements de la carte.',
  failures: {
    insufficient_funds: 'Votre banque a refusé le paiement : fonds insuffisants. Rien n’a été débité. Veuillez utiliser une autre carte.',
    expired_card: 'Cette carte est expirée. Rien n’a été débité. Veuillez utiliser une autre carte.',
    incorrect_cvc: 'Le code de sécurité est erroné. Rien n’a été débité. Vérifiez-le et réessayez.',
    processing_error: 'La banque n’a pas pu traiter le paiement. Rien n’a été débité. Veuillez réessayer dans un moment.',
    authentication_required:
      'Votre banque n’a pas pu confirmer votre identité. Rien n’a été débité. Réessayez ou utilisez une autre carte.',
    declined: 'Votre banque a refusé le paiement. Rien n’a été débité. Veuillez utiliser une autre carte ou appeler votre banque.',
  },
} as const

export const cardFormTexts = translations(en, fr)

export type CardFailure = keyof typeof en.failures

/** What the patient reads for Stripe's code; anything else is a plain refusal. */
export const cardFailure = (code: string): CardFailure => (Object.hasOwn(en.failures, code) ? (code as CardFailure) : 'declined')
