import { translations } from '../../shared/translations.ts'

/** The device card that patients keep. */
export const en = {
  title: 'Implant card',
  file: 'implant card',
  made: 'Made on',
  keep: 'Keep this card. Show it to anyone who examines or treats you, and before any scan, such as an MRI.',
  contact: 'If you move or change your phone number or email address, let us know, so that we can reach you about your implants.',
  none: 'We have placed no implants.',
  implants: 'Your implants',
  device: 'Device',
  identifiers: 'Lot and serial number',
  placed: 'Placed',
  lot: 'Lot {{lot}}',
  serial: 'Serial {{serial}}',
  udi: 'UDI {{udi}}',
  surgeon: 'by {{name}}',
  removed: 'Taken out on {{day}}',
  sides: { left: 'Left side', right: 'Right side' },
  kinds: {
    breast_implant: 'Breast implant',
    tissue_expander: 'Tissue expander',
    facial_implant: 'Facial implant',
    mesh: 'Mesh',
    other_implant: 'Other implant',
  },
} as const

export const fr = {
  title: 'Carte d’implant',
  file: 'carte d’implant',
  made: 'Établie le',
  keep: 'Conservez cette carte. Montrez-la à toute personne qui vous examine ou vous traite, et avant tout examen d’imagerie, comme une IRM.',
  contact:
    'Si vous déménagez ou changez de numéro de téléphone ou d’adresse courriel, dites-le-nous, afin que nous puissions vous joindre au sujet de vos implants.',
  none: 'Nous n’avons posé aucun implant.',
  implants: 'Vos implants',
  device: 'Dispositif',
  identifiers: 'Lot et numéro de série',
  placed: 'Pose',
  lot: 'Lot {{lot}}',
  serial: 'Série {{serial}}',
  udi: 'IUD {{udi}}',
  surgeon: 'par {{name}}',
  removed: 'Retiré le {{day}}',
  sides: { left: 'Côté gauche', right: 'Côté droit' },
  kinds: {
    breast_implant: 'Implant mammaire',
    tissue_expander: 'Expanseur tissulaire',
    facial_implant: 'Implant facial',
    mesh: 'Treillis',
    other_implant: 'Autre implant',
  },
}

export const cardTexts = translations(en, fr)
