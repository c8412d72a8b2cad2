/**
 * The templates of a new clinic, the names of those of text messages ending in `_text`. `welcome_email` goes to new leads (spec 9); those of the category 'transactional' are about appointments
 * and balances, and do not mention procedures.
 */
import { htmlFromText } from './rules.ts'

export type Starter = { name: string; channel: 'email' | 'text'; subject: string; category: string; body: string; html: string }

const letter = (name: string, category: string, subject: string, ...paragraphs: string[]): Starter => {
  const body = paragraphs.join('\n\n')
  return { name, channel: 'email', category, subject, body, html: htmlFromText(body) }
}

/** A text message about an appointment: what it is about is behind the link. */
const text = (name: string, body: string): Starter => ({ name, channel: 'text', category: 'transactional', subject: '', body, html: '' })

/** As HTML, the link of an appointment is words. */
const aboutAppointment = (name: string, subject: string, ...paragraphs: string[]): Starter => {
  const { html, ...rest } = letter(name, 'transactional', subject, ...paragraphs)
  const words = name.endsWith('_fr') ? 'votre rendez-vous' : 'your appointment'
  return { ...rest, html: html.replace(`:<br>${link}`, `: <a href="${link}">${words}</a>`) }
}
const link = '{{appointment_link}}'
const when = '{{appointment_day}} at {{appointment_time}}\nWith {{appointment_provider}}\n{{appointment_place}}'
const frenchWhen = '{{appointment_day}} à {{appointment_time}}\nAvec {{appointment_provider}}\n{{appointment_place}}'
const closing = 'Kind regards,\n{{company_name}}'
const frenchClosing = 'Cordialement,\n{{company_name}}'

export const starters: readonly Starter[] = [
  letter(
    'welcome_email',
    'lead',
    'Thank you for contacting {{company_name}}',
    'Hello {{first_name}},',
    'Thank you for your interest in {{company_name}}. We have received your inquiry, and one of our patient coordinators will contact you soon.',
    'If you have questions before then, just reply to this email.',
    'Kind regards,\n{{company_name}}',
  ),
  letter(
    'consult_reminder',
    'appointment',
    'Your upcoming consultation at {{company_name}}',
    'Hello {{first_name}},',
    'We look forward to seeing you for your consultation about {{procedure}}.',
    'Please bring a list of your medications and allergies. If you need another time, reply to this email and we will find one.',
    'Kind regards,\n{{company_name}}',
  ),
  letter(
    'follow_up',
    'follow_up',
    'Do you have questions about {{procedure}}?',
    'Hello {{first_name}},',
    'It was a pleasure to speak with you about {{procedure}}. Is there anything we can explain or help you with?',
    'Reply any time.',
    'Kind regards,\n{{company_name}}',
  ),
  letter(
    'post_op_check',
    'post_op',
    'How are you feeling, {{first_name}}?',
    'Hello {{first_name}},',
    'We hope that you are recovering well. Please reply to this email and tell us how you are feeling, and whether anything worries you.',
    'If you have severe pain, heavy bleeding, fever or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.',
    'Kind regards,\n{{company_name}}',
  ),
  aboutAppointment(
    'appointment_confirmation',
    'Your appointment on {{appointment_day}}',
    'Hello {{first_name}},',
    'Your appointment at {{company_name}} is booked:',
    when,
    `Please confirm it, or ask for another time, here:\n${link}`,
    'The file attached to this email puts it into your calendar. If you have questions, just reply to this email.',
    closing,
  ),
  // Boxes with the link and what was agreed follow `appointment_booked` and `appointment_updated`, so that they end without a closing.
  aboutAppointment(
    'appointment_booked',
    'Your appointment on {{appointment_day}}',
    'Hello {{first_name}},',
    'Your appointment at {{company_name}} is booked:',
    when,
    'The file attached to this email puts it into your calendar. If you have questions, just reply to this email.',
  ),
  aboutAppointment(
    'appointment_changed',
    'Your appointment has changed: {{appointment_day}}',
    'Hello {{first_name}},',
    'Your appointment at {{company_name}} has changed. It is now:',
    when,
    `Please confirm it, or ask for another time, here:\n${link}`,
    'The file attached to this email changes it in your calendar. If you have questions, just reply to this email.',
    closing,
  ),
  aboutAppointment(
    'appointment_updated',
    'Your appointment has changed: {{appointment_day}}',
    'Hello {{first_name}},',
    'Your appointment at {{company_name}} has changed. It is now:',
    when,
    'The file attached to this email changes it in your calendar. If you have questions, just reply to this email.',
  ),
  aboutAppointment(
    'appointment_cancelled',
    'Your appointment on {{appointment_day}} is cancelled',
    'Hello {{first_name}},',
    'Your appointment at {{company_name}} on {{appointment_day}} at {{appointment_time}} is cancelled.',
    'If you would like another time, just reply to this email and we will find one.',
    closing,
  ),
  aboutAppointment(
    'appointment_reminder',
    'A reminder of your appointment on {{appointment_day}}',
    'Hello {{first_name}},',
    'We look forward to seeing you at {{company_name}}:',
    when,
    `If you have not confirmed yet, or need another time, please tell us here:\n${link}`,
    closing,
  ),
  aboutAppointment(
    'appointment_offer',
    'A time is free: {{appointment_day}}, {{appointment_time}}',
    'Hello {{first_name}},',
    'You are on the waiting list of {{company_name}}, and this time is free:',
    when,
    'It goes to the first who says yes, so it may be gone soon. If it does not suit you, you stay on the list.',
  ),
  letter(
    'payment_reminder',
    'transactional',
    'Your balance with {{company_name}}',
    'Hello {{first_name}},',
    'Your balance with {{company_name}} is {{balance_due}}.',
    '{{balance_details}}',
    'Your statement of account is attached. If you have already paid, thank you.',
    'To pay or ask a question, {{payment_contact}}.',
    closing,
  ),
  // In French, for patients who prefer it.
  letter(
    'welcome_email_fr',
    'lead',
    'Merci d’avoir communiqué avec {{company_name}}',
    'Bonjour {{first_name}},',
    'Merci de votre intérêt pour {{company_name}}. Nous avons bien reçu votre demande, et un membre de notre équipe vous contactera bientôt.',
    'Si vous avez des questions d’ici là, répondez simplement à ce courriel.',
    frenchClosing,
  ),
  letter(
    'consult_reminder_fr',
    'appointment',
    'Votre consultation à venir chez {{company_name}}',
    'Bonjour {{first_name}},',
    'Nous avons hâte de vous rencontrer pour votre consultation ({{procedure}}).',
    'Veuillez apporter la liste de vos médicaments et de vos allergies. S’il vous faut un autre moment, répondez à ce courriel et nous en trouverons un.',
    frenchClosing,
  ),
  letter(
    'follow_up_fr',
    'follow_up',
    'Avez-vous des questions? ({{procedure}})',
    'Bonjour {{first_name}},',
    'Nous avons été heureux de parler avec vous de l’intervention qui vous intéresse ({{procedure}}). Pouvons-nous vous expliquer quelque chose ou vous aider?',
    'Vous pouvez nous répondre en tout temps.',
    frenchClosing,
  ),
  letter(
    'post_op_check_fr',
    'post_op',
    'Comment allez-vous, {{first_name}}?',
    'Bonjour {{first_name}},',
    'Nous espérons que votre convalescence se passe bien. Répondez à ce courriel pour nous dire comment vous vous sentez et si quelque chose vous inquiète.',
    'En cas de douleur intense, de saignement abondant, de fièvre ou de difficulté à respirer, n’attendez pas notre réponse : composez le 911 ou rendez-vous à l’urgence la plus proche.',
    frenchClosing,
  ),
  aboutAppointment(
    'appointment_confirmation_fr',
    'Votre rendez-vous du {{appointment_day}}',
    'Bonjour {{first_name}},',
    'Votre rendez-vous chez {{company_name}} est pris :',
    frenchWhen,
    `Veuillez le confirmer ou demander un autre moment ici :\n${link}`,
    'Le fichier joint à ce courriel l’ajoute à votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.',
    frenchClosing,
  ),
  aboutAppointment(
    'appointment_booked_fr',
    'Votre rendez-vous du {{appointment_day}}',
    'Bonjour {{first_name}},',
    'Votre rendez-vous chez {{company_name}} est pris :',
    frenchWhen,
    'Le fichier joint à ce courriel l’ajoute à votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.',
  ),
  aboutAppointment(
    'appointment_changed_fr',
    'Votre rendez-vous a changé : {{appointment_day}}',
    'Bonjour {{first_name}},',
    'Votre rendez-vous chez {{company_name}} a changé. Il est maintenant prévu :',
    frenchWhen,
    `Veuillez le confirmer ou demander un autre moment ici :\n${link}`,
    'Le fichier joint à ce courriel le modifie dans votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.',
    frenchClosing,
  ),
  aboutAppointment(
    'appointment_updated_fr',
    'Votre rendez-vous a changé : {{appointment_day}}',
    'Bonjour {{first_name}},',
    'Votre rendez-vous chez {{company_name}} a changé. Il est maintenant prévu :',
    frenchWhen,
    'Le fichier joint à ce courriel le modifie dans votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.',
  ),
  aboutAppointment(
    'appointment_cancelled_fr',
    'Votre rendez-vous du {{appointment_day}} est annulé',
    'Bonjour {{first_name}},',
    'Votre rendez-vous chez {{company_name}} du {{appointment_day}} à {{appointment_time}} est annulé.',
    'Si vous souhaitez un autre moment, répondez simplement à ce courriel et nous en trouverons un.',
    frenchClosing,
  ),
  aboutAppointment(
    'appointment_reminder_fr',
    'Rappel de votre rendez-vous du {{appointment_day}}',
    'Bonjour {{first_name}},',
    'Nous vous attendons chez {{company_name}} :',
    frenchWhen,
    `Si vous n’avez pas encore confirmé, ou s’il vous faut un autre moment, dites-le-nous ici :\n${link}`,
    frenchClosing,
  ),
  aboutAppointment(
    'appointment_offer_fr',
    'Une place se libère : {{appointment_day}}, {{appointment_time}}',
    'Bonjour {{first_name}},',
    'Vous êtes sur la liste d’attente de {{company_name}}, et cette place est libre :',
    frenchWhen,
    'Elle va à la première personne qui accepte et peut donc être prise rapidement. Si elle ne vous convient pas, vous restez sur la liste.',
  ),
  letter(
    'payment_reminder_fr',
    'transactional',
    'Votre solde chez {{company_name}}',
    'Bonjour {{first_name}},',
    'Votre solde chez {{company_name}} est de {{balance_due}}.',
    '{{balance_details}}',
    'Votre relevé de compte est joint à ce courriel. Si vous avez déjà payé, merci.',
    'Pour payer ou poser une question, {{payment_contact}}.',
    frenchClosing,
  ),
  text(
    'appointment_confirmation_text',
    '{{company_name}}: your appointment is booked.\n{{appointment_day}}, {{appointment_time}}\nConfirm it or ask for another time: {{appointment_link}}',
  ),
  text(
    'appointment_booked_text',
    '{{company_name}}: your appointment is booked.\n{{appointment_day}}, {{appointment_time}}\nFor another time or to cancel: {{appointment_link}}',
  ),
  text(
    'appointment_updated_text',
    '{{company_name}}: your appointment has changed. It is now:\n{{appointment_day}}, {{appointment_time}}\nFor another time or to cancel: {{appointment_link}}',
  ),
  text(
    'appointment_changed_text',
    '{{company_name}}: your appointment has changed. It is now:\n{{appointment_day}}, {{appointment_time}}\nConfirm it or ask for another time: {{appointment_link}}',
  ),
  text(
    'appointment_cancelled_text',
    '{{company_name}}: this appointment is cancelled.\n{{appointment_day}}, {{appointment_time}}\nFor another time, reply or call us.',
  ),
  text(
    'appointment_reminder_text',
    '{{company_name}}: see you soon.\n{{appointment_day}}, {{appointment_time}}\nConfirm or ask for another time: {{appointment_link}}',
  ),
  text(
    'appointment_offer_text',
    '{{company_name}}: a time is free for you.\n{{appointment_day}}, {{appointment_time}}\nThe first to say yes gets it: {{appointment_link}}',
  ),
  text(
    'appointment_confirmation_text_fr',
    '{{company_name}} : votre rendez-vous est pris.\n{{appointment_day}} à {{appointment_time}}\nConfirmez-le ou demandez un autre moment : {{appointment_link}}',
  ),
  text(
    'appointment_booked_text_fr',
    '{{company_name}} : votre rendez-vous est pris.\n{{appointment_day}} à {{appointment_time}}\nPour un autre moment ou pour annuler : {{appointment_link}}',
  ),
  text(
    'appointment_updated_text_fr',
    '{{company_name}} : votre rendez-vous a changé. Le voici :\n{{appointment_day}} à {{appointment_time}}\nPour un autre moment ou pour annuler : {{appointment_link}}',
  ),
  text(
    'appointment_changed_text_fr',
    '{{company_name}} : votre rendez-vous a changé. Le voici :\n{{appointment_day}} à {{appointment_time}}\nConfirmez-le ou demandez un autre moment : {{appointment_link}}',
  ),
  text(
    'appointment_cancelled_text_fr',
    '{{company_name}} : ce rendez-vous est annulé.\n{{appointment_day}} à {{appointment_time}}\nPour un autre moment, répondez ou appelez-nous.',
  ),
  text(
    'appointment_reminder_text_fr',
    '{{company_name}} : à bientôt.\n{{appointment_day}} à {{appointment_time}}\nConfirmez ou demandez un autre moment : {{appointment_link}}',
  ),
  text(
    'appointment_offer_text_fr',
    '{{company_name}} : une place se libère pour vous.\n{{appointment_day}} à {{appointment_time}}\nElle va à la première personne qui accepte : {{appointment_link}}',
  ),
]
