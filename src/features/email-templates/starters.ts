/** The templates that a new clinic begins with. `welcome_email` is the one that new leads get (spec 9). */
import { htmlFromText } from './rules.ts'

export type Starter = { name: string; subject: string; category: string; body: string; html: string }

const letter = (name: string, category: string, subject: string, ...paragraphs: string[]): Starter => {
  const body = paragraphs.join('\n\n')
  return { name, category, subject, body, html: htmlFromText(body) }
}

export const starters: readonly Starter[] = [
  letter(
    'welcome_email',
    'lead',
    'Thank you for contacting {{company_name}}',
    'Hello {{first_name}},',
    'Thank you for your interest in {{company_name}}. We have received your inquiry, and one of our patient coordinators will contact you soon.',
    'If you have questions before then, just answer this e-mail.',
    'Kind regards,\n{{company_name}}',
  ),
  letter(
    'consult_reminder',
    'appointment',
    'Your upcoming consultation at {{company_name}}',
    'Hello {{first_name}},',
    'We look forward to seeing you for your consultation about {{procedure}}.',
    'Please bring a list of your medications and allergies. If you need another time, answer this e-mail and we will find one.',
    'Kind regards,\n{{company_name}}',
  ),
  letter(
    'follow_up',
    'follow_up',
    'Do you have questions about {{procedure}}?',
    'Hello {{first_name}},',
    'It was a pleasure to speak with you about {{procedure}}. Is there anything we can explain or help you with?',
    'Answer this e-mail whenever it suits you.',
    'Kind regards,\n{{company_name}}',
  ),
  letter(
    'post_op_check',
    'post_op',
    'How are you feeling, {{first_name}}?',
    'Hello {{first_name}},',
    'We hope that you are recovering well. Please answer this e-mail and tell us how you are feeling, and whether anything worries you.',
    'If you have severe pain, heavy bleeding, fever or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.',
    'Kind regards,\n{{company_name}}',
  ),
]
