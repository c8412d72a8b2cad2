import { translations } from '../../shared/translations.ts'

/** The email or text message with the links of forms. */
export const en = {
  subject_one: 'A form to fill in for {{practice}}',
  subject_other: '{{count}} forms to fill in for {{practice}}',
  intro_one: 'Before your visit, please fill in a form for {{practice}}.',
  intro_other: 'Before your visit, please fill in {{count}} forms for {{practice}}.',
  howTo:
    'You can stop at any time and continue on another device. The form stays open for {{days}} days. To protect your information, we first send you a code by email.',
  howToSeveral:
    'You can stop at any time and continue on another device. The forms stay open for {{days}} days. To protect your information, we first send you a code by email.',
  open: 'Fill in the form',
  openNumber: 'Fill in form {{number}}',
  text_one: '{{practice}}: please fill in a form before your visit: {{links}}',
  text_other: '{{practice}}: please fill in {{count}} forms before your visit: {{links}}',
  checkInText: '{{practice}} would like to know how you are. Please answer a few questions: {{link}} In an emergency, call 911.',
  checkInSubject: 'How are you? A few questions from {{practice}}',
  checkInReminder: 'Reminder: {{practice}} would like to know how you are',
  checkInIntro: '{{practice}} would like to know how you are doing. Please answer a few questions. It takes about two minutes.',
  checkInUrgent: 'If you have chest pain or trouble breathing, call 911. Do not wait for us to read your answers.',
  checkInHowTo: 'The questions stay open until {{until}}. To protect your information, we first send you a code by email.',
  checkInOpen: 'Answer the questions',
} as const

export const fr = {
  subject_one: 'Un formulaire à remplir pour {{practice}}',
  subject_other: '{{count}} formulaires à remplir pour {{practice}}',
  intro_one: 'Avant votre rendez-vous, veuillez remplir un formulaire pour {{practice}}.',
  intro_other: 'Avant votre rendez-vous, veuillez remplir {{count}} formulaires pour {{practice}}.',
  howTo:
    'Vous pouvez vous arrêter à tout moment et reprendre sur un autre appareil. Le formulaire reste ouvert pendant {{days}} jours. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.',
  howToSeveral:
    'Vous pouvez vous arrêter à tout moment et reprendre sur un autre appareil. Les formulaires restent ouverts pendant {{days}} jours. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.',
  open: 'Remplir le formulaire',
  openNumber: 'Remplir le formulaire {{number}}',
  text_one: '{{practice}} : veuillez remplir un formulaire avant votre rendez-vous : {{links}}',
  text_other: '{{practice}} : veuillez remplir {{count}} formulaires avant votre rendez-vous : {{links}}',
  checkInText:
    '{{practice}} aimerait savoir comment vous allez. Veuillez répondre à quelques questions : {{link}} En cas d’urgence, appelez le 911.',
  checkInSubject: 'Comment allez-vous? Quelques questions de {{practice}}',
  checkInReminder: 'Rappel : {{practice}} aimerait savoir comment vous allez',
  checkInIntro: '{{practice}} aimerait savoir comment vous allez. Veuillez répondre à quelques questions. Cela prend environ deux minutes.',
  checkInUrgent:
    'Si vous avez une douleur à la poitrine ou de la difficulté à respirer, appelez le 911. N’attendez pas que nous lisions vos réponses.',
  checkInHowTo:
    'Vous pouvez répondre jusqu’au {{until}}. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.',
  checkInOpen: 'Répondre aux questions',
}

export const formMailTexts = translations(en, fr)
