import type { Channel } from '../../rules.ts'
import type { ConversationData, WayData } from '../inbox-data.ts'
import { problemSentences } from '../labels.ts'

/** In the portal the patient reads an answer also where no email can say that there is one. */
export const canSend = ({ channel, problem }: Pick<WayData, 'channel' | 'problem'>): boolean => problem === null || channel === 'portal'

/** The channels of the composer, in the order of its tabs. */
const order = ['sms', 'email', 'portal'] as const

/** The channels by which the other side can be reached. */
export const openChannels = (ways: readonly WayData[]): Channel[] =>
  order.filter((channel) => ways.some((way) => way.channel === channel && canSend(way)))

/**
 * Where a message goes: on the wanted channel and to the wanted address, else the one from which the other side wrote last and can be reached.
 * Null: nowhere.
 */
export function wayTo(ways: readonly WayData[], wanted: { channel: Channel | null; address: string | null }): WayData | null {
  const open = ways.filter(canSend)
  const onChannel = open.filter(({ channel }) => channel === wanted.channel)
  return onChannel.find(({ address }) => address === wanted.address) ?? onChannel[0] ?? open[0] ?? null
}

/** Why the composer does not offer texts or email to a patient, as sentences. */
export function missingChannels({ contact, ways }: Pick<ConversationData, 'contact' | 'ways'>): string[] {
  const open = openChannels(ways)
  const reason = (channel: 'sms' | 'email') => {
    const problem = ways.find((way) => way.channel === channel)?.problem
    if (problem) return problemSentences[problem]
    return channel === 'sms' ? 'the record has no phone number.' : 'the record has no email address.'
  }
  const labels = { sms: 'No text', email: 'No email' }
  return contact === null
    ? []
    : (['sms', 'email'] as const).filter((channel) => !open.includes(channel)).map((channel) => `${labels[channel]}: ${reason(channel)}`)
}
