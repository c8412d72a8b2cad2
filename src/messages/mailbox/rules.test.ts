import { describe, expect, it } from 'vitest'
import { recipientsOf, subjectOf } from './rules.ts'

const [own, ana, ben, cai] = ['me@clinic.example', 'ana@x.example', 'ben@x.example', 'cai@x.example'].map((email) => ({ name: '', email }))
const mail = { from: ana!, replyTo: [], to: [own!, ben!], cc: [cai!], isSent: false }

describe('the recipients of a reply', () => {
  it.each([
    ['the writer', mail, false, [ana], []],
    ['everyone but oneself', mail, true, [ana], [ben, cai]],
    ['where the writer wants it', { ...mail, replyTo: [ben!] }, false, [ben], []],
    ['no one twice', { ...mail, replyTo: [ben!] }, true, [ben], [cai]],
    ['under one’s own mail, those it went to', { ...mail, from: own!, to: [ana!], isSent: true }, false, [ana], []],
    ['and their copies', { ...mail, from: own!, to: [ana!], isSent: true }, true, [ana], [cai]],
    ['oneself alone, where no one else is', { ...mail, from: own!, to: [own!], cc: [], isSent: true }, true, [own], []],
    ['addresses are the same in any case', { ...mail, to: [{ name: 'I', email: 'ME@Clinic.example' }, ana!], cc: [] }, true, [ana], []],
  ])('%s', (_, message, toAll, to, cc) => expect(recipientsOf(message, own!.email, toAll)).toEqual({ to, cc }))
})

describe('subjects', () => {
  it.each([
    ['reply', 'Hello', 'Re: Hello'],
    ['reply', 'RE: Hello', 'RE: Hello'],
    ['reply', 'Regarding it', 'Re: Regarding it'],
    ['forward', 'Re: Hello', 'Fwd: Re: Hello'],
    ['forward', 'Fw: Hello', 'Fw: Hello'],
    ['new', 'Hello', 'Hello'],
  ] as const)('%s of %s', (kind, before, after) => expect(subjectOf(kind, before)).toBe(after))
})
