/** What the threads are about: their subjects and what each side says. */
import { pick } from '../random.ts'
import { colleagues, doctors, insurers, newsletters, patient, strangers, suppliers } from './people.ts'
import type { Address } from './message.ts'

export type Topic = {
  /** Of a hundred threads. */
  share: number
  correspondent: (random: () => number) => Address
  subjects: readonly string[]
  theirs: readonly string[]
  ours: readonly string[]
  /** At most so many messages in a thread. */
  longest: number
  /** The chance that their message brings a file. */
  files: number
  fileNames: readonly string[]
  label?: string
  kind?: 'newsletter' | 'spam'
}

const among = (list: readonly Address[]) => (random: () => number) => pick(list, random)

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

/** {treatment}, {day} and {amount} are filled in. */
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
      'Could you send me the receipt over ${amount} again? My insurance asks for it.',
    ],
    ours: [
      'Thank you for your message. A little swelling is normal for up to ten days.',
      'We can offer you {day} at 4:30 pm. Shall we book it?',
      'The consultation is free; {treatment} starts at ${amount} plus HST.',
      'Dr. Fontaine has looked at the photo and is happy with how it heals.',
      'Please keep the area clean and avoid the sauna for two weeks.',
      'I have moved your appointment to {day}. You will get a reminder the day before.',
    ],
    longest: 9,
    files: 0.18,
    fileNames: ['photo.jpg', 'Foto-vorher.jpg', 'IMG_2041.jpg', 'health-card.jpg', 'questionnaire signé.pdf'],
  },
  {
    share: 12,
    correspondent: among(suppliers),
    subjects: ['Invoice {amount}', 'Order confirmation: {treatment} supplies', 'Delivery on {day}', 'Back-order: needles 30G'],
    theirs: [
      'Please find attached our invoice over ${amount}, payable within 30 days.',
      'Your order will be delivered on {day} before noon.',
      'The 30G needles are on back-order until {day}. May we send a substitute?',
    ],
    ours: ['Thank you, received in good order.', 'A substitute is fine.', 'The invoice goes to our billing department.'],
    longest: 4,
    files: 0.6,
    fileNames: ['invoice.pdf', 'order-confirmation.pdf', 'delivery-note.pdf'],
    label: 'Label_1',
  },
  {
    share: 10,
    correspondent: among(doctors),
    subjects: ['Referral: {treatment}', 'Referral letter for a patient', 'Consult note, seen on {day}'],
    theirs: [
      'Thank you for seeing this patient, who asks about {treatment}. The letter is attached.',
      'Known allergy to lidocaine. No other medication.',
      'I saw the patient again on {day} and agree with your plan.',
    ],
    ours: ['Thank you for the referral. We have booked the patient for {day}.', 'The consult note follows after the visit.'],
    longest: 5,
    files: 0.7,
    fileNames: ['referral.pdf', 'lab results.pdf', 'Überweisung.pdf'],
    label: 'Label_2',
  },
  {
    share: 9,
    correspondent: among(insurers),
    subjects: ['Claim {amount}: more information needed', 'Pre-authorisation for {treatment}', 'Explanation of benefits'],
    theirs: [
      'To process the claim over ${amount} we need the operative note.',
      'The pre-authorisation for {treatment} was approved until {day}.',
      'Functional indication must be documented with photographs.',
    ],
    ours: ['The operative note is attached.', 'The photographs were taken on {day}; we send them separately.'],
    longest: 5,
    files: 0.4,
    fileNames: ['explanation-of-benefits.pdf', 'form 14-B.pdf'],
    label: 'Label_3',
  },
  {
    share: 6,
    correspondent: among(colleagues),
    subjects: ['Shift on {day}', 'Room 2: {treatment} device', 'Staff meeting {day}'],
    theirs: ['Could somebody take my shift on {day}?', 'The handpiece for {treatment} needs service.', 'The minutes are attached.'],
    ours: ['I can.', 'I have called the service desk, they come on {day}.', 'Thanks!'],
    longest: 6,
    files: 0.1,
    fileNames: ['minutes.pdf'],
  },
  {
    share: 5,
    correspondent: among(newsletters),
    subjects: ['This week: {treatment} in practice', 'Members’ bulletin, {day}', 'New guidance on {treatment}'],
    theirs: [
      'New guidance on {treatment} was published.',
      'The spring meeting takes place in Montréal.',
      'Early-bird price ${amount} until {day}.',
    ],
    ours: [],
    longest: 1,
    files: 0,
    fileNames: [],
    kind: 'newsletter',
  },
  {
    share: 2,
    correspondent: among(strangers),
    subjects: ['You have WON ${amount}', 'Your parcel could not be delivered', 'Rank #1 for {treatment} !!!'],
    theirs: ['Click the link to claim your prize of ${amount}.', 'We can bring 1,000 patients for {treatment} to your site.'],
    ours: [],
    longest: 1,
    files: 0,
    fileNames: [],
    kind: 'spam',
  },
]
