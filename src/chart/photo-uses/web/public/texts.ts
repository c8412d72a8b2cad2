import { translations } from '../../../../shared/translations.ts'
import { views } from '../../../photos/rules.ts'

/** The page behind a link to photos, in the words of physicians. */
export const en = {
  title: 'Photos from {{practice}}',
  loading: 'Loading',
  recipient: 'For {{recipient}}.',
  recipientAbout: 'For {{recipient}}, about {{patient}}.',
  born: '{{name}}, born {{day}}',
  until: 'The link works until {{day}}. Please do not pass it on.',
  ended: 'This link has ended or is not complete. Ask the clinic for a new one.',
  failed: 'The photos could not be loaded. Please check your connection.',
  retry: 'Try again',
  notLoaded: 'This photo could not be loaded. Reload the page to try again.',
  enlarge: 'Enlarge {{photo}}',
  caption: '{{photo}}, {{day}}',
  times: {
    pre_op: 'pre-op',
    week_1: '1 week post-op',
    week_3: '3 weeks post-op',
    month_3: '3 months post-op',
    month_6: '6 months post-op',
    year_1: '1 year post-op',
    other: 'other',
  },
  views,
} as const

export const fr = {
  title: 'Photos envoyées par {{practice}}',
  loading: 'Chargement',
  recipient: 'À l’attention de {{recipient}}.',
  recipientAbout: 'À l’attention de {{recipient}}, au sujet de {{patient}}.',
  born: '{{name}} (date de naissance : {{day}})',
  until: 'Le lien est valide jusqu’au {{day}}. Veuillez ne pas le transmettre.',
  ended: 'Ce lien n’est plus valide ou est incomplet. Demandez-en un nouveau à la clinique.',
  failed: 'Impossible de charger les photos. Veuillez vérifier votre connexion.',
  retry: 'Réessayer',
  notLoaded: 'Impossible de charger cette photo. Rechargez la page pour réessayer.',
  enlarge: 'Agrandir : {{photo}}',
  caption: '{{photo}}, le {{day}}',
  times: {
    pre_op: 'avant l’opération',
    week_1: '1 semaine après l’opération',
    week_3: '3 semaines après l’opération',
    month_3: '3 mois après l’opération',
    month_6: '6 mois après l’opération',
    year_1: '1 an après l’opération',
    other: 'autre moment',
  },
  views: {
    front: 'De face',
    left_oblique: 'Oblique gauche',
    left_profile: 'Profil gauche',
    right_oblique: 'Oblique droit',
    right_profile: 'Profil droit',
    base: 'Vue inférieure',
    left_side: 'Côté gauche',
    right_side: 'Côté droit',
    left_back_oblique: 'Oblique gauche, de dos',
    back: 'De dos',
    right_back_oblique: 'Oblique droit, de dos',
    left_hand_back: 'Main gauche, dos',
    left_hand_palm: 'Main gauche, paume',
    right_hand_back: 'Main droite, dos',
    right_hand_palm: 'Main droite, paume',
    other: 'Autre vue',
  },
}

export const sharedPhotosTexts = translations(en, fr)
