import { describe, expect, it } from 'vitest'
import type { WayData } from '../inbox-data.ts'
import { missingChannels, openChannels, wayTo } from './ways.ts'

const way = (channel: WayData['channel'], address: string, problem: WayData['problem'] = null): WayData => ({
  channel,
  address,
  problem,
  threadId: null,
  subject: null,
  sharedWith: [],
})
const text = way('sms', '+14165550142')
const email = way('email', 'rosalie@fastmail.example')
const nothing = { channel: null, address: null }

describe('the composer’s channels', () => {
  it('starts with the channel that the patient used last and may be reached on (issue 28)', () => {
    expect(wayTo([email, text], nothing)).toBe(email)
    expect(wayTo([text, email], nothing)).toBe(text)
    expect(wayTo([way('sms', '+14165550142', 'stopped'), email], nothing)).toBe(email)
    expect(wayTo([way('email', 'a@b.example', 'bounce')], nothing)).toBeNull()
  })

  it('sends to the chosen address of the chosen channel (issue 28)', () => {
    const other = way('email', 'work@fastmail.example')
    expect(wayTo([text, email, other], { channel: 'email', address: null })).toBe(email)
    expect(wayTo([text, email, other], { channel: 'email', address: other.address })).toBe(other)
    expect(wayTo([text, email], { channel: 'portal', address: null })).toBe(text)
  })

  it('offers the portal to a patient whose email bounces (issue 28)', () => {
    expect(openChannels([way('portal', 'a@b.example', 'bounce'), way('email', 'a@b.example', 'bounce')])).toEqual(['portal'])
  })

  it('says why a channel is absent, of patients only (issue 28)', () => {
    const contact = { id: 'p', firstName: 'Rosalie', lastName: 'Thibault' }
    expect(missingChannels({ contact, ways: [text, email] })).toEqual([])
    expect(missingChannels({ contact, ways: [way('sms', '+19055550123', 'landline')] })).toEqual([
      'No text: the phone number is a landline.',
      'No email: the record has no email address.',
    ])
    expect(missingChannels({ contact: null, ways: [email] })).toEqual([])
  })
})
