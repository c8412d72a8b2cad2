import { translations } from '../../../../shared/translations.ts'

/** Choosing a day and a time. */
export const en = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  loading: 'Loading times',
  failed: 'The times could not be loaded.',
  tryAgain: 'Try again',
  noneInMonth: 'No times in this month.',
  noneOnDay: 'No times on this day.',
  noneAtAll: 'No times can be booked online at the moment. Please call us.',
  showNext: 'Show the next one: {{day}}',
  days: 'Days with times',
  openDay: '{{day}}, times to choose from',
  fullDay: '{{day}}, no times',
  dayParts: { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening' },
} as const

export const fr = {
  previousMonth: 'Mois précédent',
  nextMonth: 'Mois suivant',
  loading: 'Chargement des heures',
  failed: 'Les heures n’ont pas pu être chargées.',
  tryAgain: 'Réessayer',
  noneInMonth: 'Aucune heure ce mois-ci.',
  noneOnDay: 'Aucune heure ce jour-là.',
  noneAtAll: 'Aucun rendez-vous ne peut être pris en ligne pour le moment. Veuillez nous appeler.',
  showNext: 'Voir la prochaine : {{day}}',
  days: 'Jours où il y a de la place',
  openDay: '{{day}}, heures au choix',
  fullDay: '{{day}}, aucune heure',
  dayParts: { morning: 'Matin', afternoon: 'Après-midi', evening: 'Soir' },
}

export const timeTexts = translations(en, fr)
