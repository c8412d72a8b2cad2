import { translations } from '../../shared/translations.ts'

/** What patients read when they pay by card, on the page, on the receipt and in the consent that is kept. */
export const en = {
  balance: 'Payment towards the account',
  quote: 'Payment for quote {{number}}',
  consent:
    'I allow {{practice}} to keep this card with Stripe and to charge it for amounts that I owe and have agreed to, such as instalments and fees for missed visits. I can withdraw this at any time by contacting the practice.',
  expirySubject: 'Your saved card at {{practice}} expires soon',
  expires: 'The card ending in {{last4}} that you allowed us to keep expires {{expiry}}.',
  expiryHowTo:
    'If you have a new card, choose to save it the next time you pay in the portal. Your new number is never needed by email or phone.',
} as const

export const fr = {
  balance: 'Paiement au compte',
  quote: 'Paiement pour la soumission {{number}}',
  consent:
    'J’autorise {{practice}} à conserver cette carte chez Stripe et à y porter les sommes que je dois et que j’ai acceptées, comme des versements et des frais de rendez-vous manqué. Je peux retirer cette autorisation en tout temps en communiquant avec la clinique.',
  expirySubject: 'Votre carte enregistrée chez {{practice}} expire bientôt',
  expires: 'La carte se terminant par {{last4}} que vous nous avez permis de conserver expire le {{expiry}}.',
  expiryHowTo:
    'Si vous avez une nouvelle carte, choisissez de l’enregistrer à votre prochain paiement dans le portail. Nous ne demandons jamais de numéro par courriel ni par téléphone.',
} as const

export const cardTexts = translations(en, fr)
