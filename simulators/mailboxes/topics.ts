/** The topics of threads: their subjects and each side's sentences. */
import { pick } from '../random.ts'
import { colleagues, doctors, insurers, newsletters, patient, spammers, suppliers } from './people.ts'
import type { Address } from './message.ts'

export type Topic = {
  /** Percentage of threads. */
  share: number
  correspondent: (random: () => number) => Address
  subjects: readonly string[]
  theirs: readonly string[]
  ours: readonly string[]
  /** Per thread. */
  maxMessages: number
  /** The probability that an incoming message has a file. */
  files: number
  fileNames: readonly string[]
  label?: string
  kind?: 'newsletter' | 'spam'
}

const anyOf = (list: readonly Address[]) => (random: () => number) => pick(list, random)

export const treatments = [
  'Botox',
  'lip filler',
  'laser hair removal',
  'microneedling',
  'rhinoplasty',
  'blepharoplasty',
  'IPL',
  'CoolSculpting',
]

/** {treatment}, {day} and {amount} are placeholders. */
export const topics: readonly Topic[] = [
  {
    share: 56,
    correspondent: patient,
    subjects: [
      'Question about {treatment}',
      'Booking {treatment} on {day}',
      'Swelling after {treatment}',
      'Price for {treatment}?',
      'Rendez-vous {day}',
      'Can I move my appointment to {day}?',
      'Receipt for {treatment}',
    ],
    theirs: [
      'I had {treatment} with you last month and have a question about the aftercare.',
      'Is there still a slot free on {day}? I could come any time after four.',
      'The swelling has gone down but the left side is still a little sore. Is that normal?',
      'How much would {treatment} cost, and does the price include the follow-up?',
      'Merci beaucoup pour votre réponse rapide.',
      'I have attached a photo so that the doctor can have a look.',
      'I take blood thinners — do I have to stop before {treatment}?',
      'Could you send me the receipt for ${amount} again? My insurance needs it.',
    ],
    ours: [
      'Thank you for your message. A little swelling is normal for up to ten days.',
      'We can offer you {day} at 4:30 pm. Shall we book it?',
      'The consultation is free; {treatment} starts at ${amount} plus HST.',
      'Dr. Fontaine has looked at the photo and is happy with how it’s healing.',
      'Please keep the area clean and avoid the sauna for two weeks.',
      'I have moved your appointment to {day}. You will get a reminder the day before.',
    ],
    maxMessages: 9,
    files: 0.18,
    fileNames: ['photo.jpg', 'photo-après.jpg', 'IMG_2041.jpg', 'health-card.jpg', 'questionnaire signé.pdf'],
  },
  {
    share: 12,
    correspondent: anyOf(suppliers),
    subjects: ['Invoice {amount}', 'Order confirmation: {treatment} supplies', 'Delivery on {day}', 'Back-order: needles 30G'],
    theirs: [
      'Please find attached our invoice for ${amount}, payable within 30 days.',
      'Your order will be delivered on {day} before noon.',
      'The 30G needles are on back-order until {day}. May we send a substitute?',
    ],
    ours: ['Thank you, received in good order.', 'A substitute is fine.', 'The invoice goes to our billing department.'],
    maxMessages: 4,
    files: 0.6,
    fileNames: ['invoice.pdf', 'order-confirmation.pdf', 'delivery-note.pdf'],
    label: 'Label_1',
  },
  {
    share: 10,
    correspondent: anyOf(doctors),
    subjects: ['Referral: {treatment}', 'Referral letter for a patient', 'Consult note, seen on {day}'],
    theirs: [
      'Thank you for seeing this patient, who asks about {treatment}. The letter is attached.',
      'Known allergy to lidocaine. No other medication.',
      'I saw the patient again on {day} and agree with your plan.',
    ],
    ours: ['Thank you for the referral. We have booked the patient for {day}.', 'The consult note will follow after the visit.'],
    maxMessages: 5,
    files: 0.7,
    fileNames: ['referral.pdf', 'lab results.pdf', 'référence.pdf'],
    label: 'Label_2',
  },
  {
    share: 9,
    correspondent: anyOf(insurers),
    subjects: ['Claim {amount}: more information needed', 'Pre-authorisation for {treatment}', 'Explanation of benefits'],
    theirs: [
      'To process the claim for ${amount}, we need the operative note.',
      'The pre-authorisation for {treatment} is approved until {day}.',
      'The functional indication must be documented with photographs.',
    ],
    ours: ['The operative note is attached.', 'The photographs were taken on {day}; we will send them separately.'],
    maxMessages: 5,
    files: 0.4,
    fileNames: ['explanation-of-benefits.pdf', 'form 14-B.pdf'],
    label: 'Label_3',
  },
  {
    share: 6,
    correspondent: anyOf(colleagues),
    subjects: ['Shift on {day}', 'Room 2: {treatment} device', 'Staff meeting {day}'],
    theirs: ['Could someone take my shift on {day}?', 'The handpiece for {treatment} needs service.', 'The minutes are attached.'],
    ours: ['I can.', 'I have called the service desk. They are coming on {day}.', 'Thanks!'],
    maxMessages: 6,
    files: 0.1,
    fileNames: ['minutes.pdf'],
  },
  {
    share: 5,
    correspondent: anyOf(newsletters),
    subjects: ['This week: {treatment} in practice', 'Members’ bulletin, {day}', 'New guidance on {treatment}'],
    theirs: [
      'New guidance on {treatment} was published.',
      'The spring meeting will be held in Montréal.',
      'Early-bird price ${amount} until {day}.',
    ],
    ours: [],
    maxMessages: 1,
    files: 0,
    fileNames: [],
    kind: 'newsletter',
  },
  {
    share: 2,
    correspondent: anyOf(spammers),
    subjects: ['You have WON ${amount}', 'Your parcel could not be delivered', 'Rank #1 for {treatment} !!!'],
    theirs: ['Click the link to claim your prize of ${amount}.', 'We can bring 1,000 patients for {treatment} to your site.'],
    ours: [],
    maxMessages: 1,
    files: 0,
    fileNames: [],
    kind: 'spam',
  },
]
