import { translations } from '../../shared/translations.ts'

/** The email or text message with a form's link. */
export const en = {
  subject: 'A form to fill in for {{practice}}',
  intro: 'Before your visit, please fill in a form for {{practice}}.',
  howTo:
    'You can stop at any time and continue on another device. The form stays open for {{days}} days. To protect your information, we first send you a code by email.',
  open: 'Fill in the form',
  text: '{{practice}}: please fill in a form before your visit: {{link}}',
  checkInText: '{{practice}} would like to know how you are. Please answer a few questions: {{link}} In an emergency, call 911.',
  checkInSubject: 'How are you? A few questions from {{practice}}',
  checkInReminder: 'Reminder: {{practice}} would like to know how you are',
  checkInIntro: '{{practice}} would like to know how you are doing. Please answer a few questions. It takes about two minutes.',
  checkInUrgent: 'If you have chest pain or trouble breathing, call 911. Do not wait for us to read your answers.',
  checkInHowTo: 'The questions stay open until {{until}}. To protect your information, we first send you a code by email.',
  checkInOpen: 'Answer the questions',
} as const

export const fr = {
  subject: 'Un formulaire à remplir pour {{practice}}',
  intro: 'Avant votre visite, veuillez remplir un formulaire pour {{practice}}.',
  howTo:
    'Vous pouvez vous arrêter à tout moment et reprendre sur un autre appareil. Le formulaire reste ouvert pendant {{days}} jours. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.',
  open: 'Remplir le formulaire',
  text: '{{practice}} : veuillez remplir un formulaire avant votre visite : {{link}}',
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
