import { translations } from '../../../../shared/translations.ts'
import { shownFailures } from '../../rules.ts'

/** The page where a patient pays by card. */
export const en = {
  title: 'Pay by card',
  paidTitle: 'Payment received',
  hello: 'Hello {{name}},',
  balance: 'Your account with {{practice}}',
  quote: 'Quote {{number}} from {{practice}}',
  amount: 'Amount',
  due: 'Due now',
  all: 'Full balance',
  nothing: 'Nothing is outstanding. Thank you!',
  save: 'Save this card for later payments',
  automatic: 'Pay my later instalments automatically with this card',
  isAutomatic: 'Your later instalments are charged to your saved card when they are due. We email you a few days before.',
  stop: 'Stop automatic payments',
  stopping: 'Stopping…',
  continue: 'Continue to card details',
  starting: 'One moment…',
  cardDetails: 'Card details',
  secure: 'Your card details go directly to Stripe, which processes the payment. {{practice}} never sees them.',
  pay: 'Pay {{amount}}',
  paying: 'Paying…',
  back: 'Change amount',
  loadingForm: 'Loading the card form',
  paid: '{{amount}} was charged to your card. Your receipt appears in the portal within a few minutes.',
  processing: 'Your bank is still processing the payment. Please don’t pay again: we will record it as soon as it goes through.',
  uncertain: 'The connection broke while you were paying. Please don’t pay again yet: check whether the payment went through.',
  check: 'Check payment',
  checking: 'Checking…',
  close: 'You can close this page.',
  unknown: 'This link has expired or is incomplete. Open the patient portal of {{practice}} for a new one.',
  problems: {
    tooMany: 'Too many attempts. Please try again in 15 minutes.',
    tooMuch: 'The amount has changed since you opened this page. Please reload it.',
    processing: 'An earlier payment is still being processed. Please wait a few minutes.',
    paid: 'This was paid a moment ago.',
    unavailable: 'Card payments are not available at the moment. Nothing was charged. Please try again in a few minutes.',
    unexpected: 'Something went wrong. Nothing was charged. Please try again.',
    connection: 'No connection. Nothing was charged. Please try again.',
    form: 'The card form could not be loaded. Nothing was charged. Please check your connection and try again.',
    incomplete: 'Please complete your card details.',
  },
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
  title: 'Payer par carte',
  paidTitle: 'Paiement reçu',
  hello: 'Bonjour {{name}},',
  balance: 'Votre compte chez {{practice}}',
  quote: 'Soumission {{number}} de {{practice}}',
  amount: 'Montant',
  due: 'Exigible maintenant',
  all: 'Solde complet',
  nothing: 'Rien n’est dû. Merci!',
  save: 'Enregistrer cette carte pour de prochains paiements',
  automatic: 'Payer mes prochains versements automatiquement avec cette carte',
  isAutomatic:
    'Vos prochains versements sont portés à votre carte enregistrée à leur échéance. Nous vous avisons par courriel quelques jours avant.',
  stop: 'Arrêter les paiements automatiques',
  stopping: 'Un instant…',
  continue: 'Continuer vers la carte',
  starting: 'Un instant…',
  cardDetails: 'Renseignements de la carte',
  secure: 'Les renseignements de votre carte vont directement à Stripe, qui traite le paiement. {{practice}} ne les voit jamais.',
  pay: 'Payer {{amount}}',
  paying: 'Paiement en cours…',
  back: 'Changer le montant',
  loadingForm: 'Chargement du formulaire de carte',
  paid: '{{amount}} ont été portés à votre carte. Votre reçu apparaîtra dans le portail d’ici quelques minutes.',
  processing: 'Votre banque traite encore le paiement. Ne payez pas de nouveau : nous l’inscrirons dès qu’il sera confirmé.',
  uncertain:
    'La connexion a été interrompue pendant le paiement. Ne payez pas tout de suite de nouveau : vérifiez d’abord s’il a été effectué.',
  check: 'Vérifier le paiement',
  checking: 'Vérification…',
  close: 'Vous pouvez fermer cette page.',
  unknown: 'Ce lien est expiré ou incomplet. Ouvrez le portail des patients de {{practice}} pour en obtenir un nouveau.',
  problems: {
    tooMany: 'Trop de tentatives. Veuillez réessayer dans 15 minutes.',
    tooMuch: 'Le montant a changé depuis l’ouverture de cette page. Veuillez l’actualiser.',
    processing: 'Un paiement précédent est encore en traitement. Veuillez attendre quelques minutes.',
    paid: 'Ce montant vient d’être payé.',
    unavailable:
      'Les paiements par carte ne sont pas disponibles pour le moment. Rien n’a été débité. Veuillez réessayer dans quelques minutes.',
    unexpected: 'Une erreur est survenue. Rien n’a été débité. Veuillez réessayer.',
    connection: 'Aucune connexion. Rien n’a été débité. Veuillez réessayer.',
    form: 'Le formulaire de carte n’a pas pu être chargé. Rien n’a été débité. Vérifiez votre connexion et réessayez.',
    incomplete: 'Veuillez remplir tous les renseignements de la carte.',
  },
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

export const payTexts = translations(en, fr)

export type PayFailure = keyof typeof en.failures
/** What the patient reads for Stripe's code. */
export const payFailure = (code: string): PayFailure => shownFailures.find((shown) => shown === code) ?? 'declined'
