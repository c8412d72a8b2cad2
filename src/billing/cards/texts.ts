import { translations } from '../../shared/translations.ts'

/** What patients read when they pay by card, on the page, on the receipt and in the consent that is kept. */
export const en = {
  balance: 'Payment towards the account',
  quote: 'Payment for quote {{number}}',
  deposit: 'Deposit for a visit',
  keepCard: 'Card kept for a visit',
  consent:
    'I allow {{practice}} to keep this card with Stripe and to charge it for amounts that I owe and have agreed to, such as instalments and fees for missed visits. I can withdraw this at any time by contacting the practice.',
  visitConsent:
    'I allow {{practice}} to keep this card with Stripe and to charge it for the fee of this visit if I cancel late or miss it, as I have agreed, and for nothing else. I can withdraw this at any time by contacting the practice.',
  expirySubject: 'Your saved card at {{practice}} expires soon',
  expires: 'The card ending in {{last4}} that you allowed us to keep expires {{expiry}}.',
  expiryHowTo:
    'If you have a new card, choose to save it the next time you pay in the portal. Your new number is never needed by email or phone.',
  automatic:
    'I allow {{practice}} to charge this card for each of my later instalments from the day it is due, after telling me by email a few days before. I can stop this at any time on the payment page or by contacting the practice.',
  instalment: 'Instalment',
  announceSubject: 'Your next payment to {{practice}}',
  announce: 'We will charge your instalment of {{amount}} to your card ending in {{last4}} on {{day}}, as you agreed.',
  announceHowTo:
    'You don’t need to do anything. To pay in another way, or to stop automatic payments, open the portal or call us before that day.',
  declinedSubject: 'Your payment to {{practice}} did not go through',
  declined: 'Your bank declined the automatic payment of {{amount}} that was due on {{day}}. Nothing was charged.',
  declinedNext: 'We will try again on {{day}}. You can also pay now with another card.',
  declinedLast: 'We will not try again. Please pay with another card, or call us.',
  payNow: 'Pay now',
} as const

export const fr = {
  balance: 'Paiement au compte',
  quote: 'Paiement pour la soumission {{number}}',
  deposit: 'Acompte pour un rendez-vous',
  keepCard: 'Carte conservée pour un rendez-vous',
  consent:
    'J’autorise {{practice}} à conserver cette carte chez Stripe et à y porter les sommes que je dois et que j’ai acceptées, comme des versements et des frais de rendez-vous manqué. Je peux retirer cette autorisation en tout temps en communiquant avec la clinique.',
  visitConsent:
    'J’autorise {{practice}} à conserver cette carte chez Stripe et à y porter les frais de ce rendez-vous si je l’annule tard ou le manque, comme je l’ai accepté, et rien d’autre. Je peux retirer cette autorisation en tout temps en communiquant avec la clinique.',
  expirySubject: 'Votre carte enregistrée chez {{practice}} expire bientôt',
  expires: 'La carte se terminant par {{last4}} que vous nous avez permis de conserver expire le {{expiry}}.',
  expiryHowTo:
    'Si vous avez une nouvelle carte, choisissez de l’enregistrer à votre prochain paiement dans le portail. Nous ne demandons jamais de numéro par courriel ni par téléphone.',
  automatic:
    'J’autorise {{practice}} à porter à cette carte chacun de mes prochains versements à compter de son échéance, après m’en avoir avisé par courriel quelques jours avant. Je peux y mettre fin en tout temps sur la page de paiement ou en communiquant avec la clinique.',
  instalment: 'Versement',
  announceSubject: 'Votre prochain paiement à {{practice}}',
  announce: 'Nous porterons votre versement de {{amount}} à votre carte se terminant par {{last4}} le {{day}}, comme convenu.',
  announceHowTo:
    'Vous n’avez rien à faire. Pour payer autrement ou mettre fin aux paiements automatiques, ouvrez le portail ou appelez-nous avant cette date.',
  declinedSubject: 'Votre paiement à {{practice}} a été refusé',
  declined: 'Votre banque a refusé le paiement automatique de {{amount}}, exigible le {{day}}. Rien n’a été prélevé.',
  declinedNext: 'Nous réessaierons le {{day}}. Vous pouvez aussi payer dès maintenant avec une autre carte.',
  declinedLast: 'Nous ne réessaierons pas. Veuillez payer avec une autre carte ou nous appeler.',
  payNow: 'Payer maintenant',
} as const

export const cardTexts = translations(en, fr)
