import { describe, expect, it } from 'vitest'
import type { DraftData } from '../mailbox-data.ts'
import { DraftKeeper, type Kept, type Refusal, type Words } from './draft-store.ts'

const id = '0197f0a0-0000-7000-8000-000000000001'
const blank: Words = { kind: 'new', answers: null, to: [], cc: [], bcc: [], subject: '', text: '', html: null, withSignature: true }
const settled = () => new Promise((resolve) => setTimeout(resolve))

const toResult = (words: Words, version: number): DraftData => ({
  id,
  ...words,
  files: [],
  state: 'draft',
  problem: null,
  version,
  updatedAt: '2026-11-20T10:00:00.000Z',
})

class Refused extends Error {
  refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

/** A keeper whose saves are answered by hand, in their order. */
function open({ words = blank, version = 0, isTouched = false } = {}) {
  const saves: { words: Words; version: number; answer: () => void; refuse: (refusal: Refusal) => void }[] = []
  const tab: { kept: Kept | null } = { kept: null }
  const keeper = new DraftKeeper(
    id,
    { words, files: [], version, isTouched },
    {
      save: (_, words, version) =>
        new Promise((resolve, reject) => {
          saves.push({
            words,
            version,
            answer: () => resolve(toResult(words, version + 1)),
            refuse: (refusal) => reject(new Refused(refusal)),
          })
        }),
      refusalOf: (error) => (error as Refused).refusal,
      keep: (_, kept) => {
        tab.kept = kept
      },
    },
    { wait: 0 },
  )
  return { keeper, saves, tab }
}

describe('saving a draft while it is written', () => {
  it('runs one save at a time with the last returned version, and keeps the text in the tab until then', async () => {
    const { keeper, saves, tab } = open()
    keeper.change({ text: 'a' })
    expect(tab.kept?.words.text).toBe('a')
    await settled()
    keeper.change({ text: 'ab' })
    keeper.change({ text: 'abc' })
    await settled()
    expect(saves.map(({ words, version }) => [words.text, version])).toEqual([['a', 0]])
    saves[0]!.answer()
    await settled()
    await settled()
    expect(saves.map(({ words, version }) => [words.text, version])).toEqual([
      ['a', 0],
      ['abc', 1],
    ])
    expect(keeper.view().save).toBe('saving')
    saves[1]!.answer()
    await settled()
    expect(keeper.view()).toMatchObject({ save: 'saved', version: 2 })
    expect(tab.kept).toBeNull()
  })

  it('saves immediately before sending, including text typed in the meantime', async () => {
    const { keeper, saves } = open()
    keeper.change({ text: 'a' })
    const done = keeper.save()
    keeper.change({ text: 'ab' })
    saves[0]!.answer()
    await settled()
    saves[1]!.answer()
    expect(await done).toBe(true)
    expect(saves[1]!.words.text).toBe('ab')
    expect(keeper.isSaved).toBe(true)
  })

  it('keeps unsaved text in the tab with the reason, and saves it with the next edit', async () => {
    const { keeper, saves, tab } = open()
    keeper.change({ text: 'a' })
    await settled()
    saves[0]!.refuse({ kind: 'lost', message: 'The connection was lost.' })
    await settled()
    expect(keeper.view()).toMatchObject({ save: 'failed', refusal: { kind: 'lost' } })
    expect(tab.kept).toMatchObject({ words: { text: 'a' }, version: 0 })
    keeper.change({ text: 'ab' })
    await settled()
    saves[1]!.answer()
    await settled()
    expect(keeper.view()).toMatchObject({ save: 'saved', refusal: null })
  })
})

describe('a draft edited in two windows', () => {
  const theirs = toResult({ ...blank, text: 'theirs' }, 4)

  it('waits for a choice between their version and mine', async () => {
    for (const choice of ['theirs', 'mine'] as const) {
      const { keeper, saves, tab } = open({ version: 3 })
      keeper.change({ text: 'mine' })
      await settled()
      saves[0]!.refuse({ kind: 'conflict', theirs })
      await settled()
      keeper.change({ text: 'mine, too' })
      await settled()
      expect(saves).toHaveLength(1)
      expect(tab.kept?.words.text).toBe('mine, too')
      if (choice === 'theirs') {
        keeper.takeTheirs()
        expect(keeper.view()).toMatchObject({ words: { text: 'theirs' }, version: 4, save: 'saved', refusal: null })
        expect(tab.kept).toBeNull()
      } else {
        const done = keeper.keepMine()
        saves[1]!.answer()
        expect(await done).toBe(true)
        expect(saves[1]).toMatchObject({ words: { text: 'mine, too' }, version: 4 })
      }
    }
  })

  it('sees no conflict when both texts are equal because the reply to a save was lost', async () => {
    const { keeper, saves } = open({ version: 3 })
    keeper.change({ text: 'theirs' })
    const done = keeper.save()
    saves[0]!.refuse({ kind: 'conflict', theirs })
    expect(await done).toBe(true)
    expect(keeper.view()).toMatchObject({ version: 4, save: 'saved', refusal: null })
  })

  it('shows the other window’s save when nothing was written here, and never over unsaved text', async () => {
    const { keeper, saves } = open({ version: 3 })
    keeper.adopt(theirs)
    expect(keeper.view()).toMatchObject({ words: { text: 'theirs' }, version: 4 })
    keeper.change({ text: 'mine' })
    keeper.adopt({ ...theirs, text: 'theirs, too', version: 5 })
    expect(keeper.view()).toMatchObject({ words: { text: 'mine' }, version: 4 })
    keeper.adopt(toResult({ ...blank, text: 'old' }, 2))
    await settled()
    expect(saves[0]).toMatchObject({ words: { text: 'mine' }, version: 4 })
  })

  it('stops saving a draft that was sent or discarded elsewhere', async () => {
    const { keeper, saves, tab } = open({ version: 3 })
    keeper.change({ text: 'late' })
    await settled()
    saves[0]!.refuse({ kind: 'gone' })
    await settled()
    keeper.change({ text: 'later' })
    expect(await keeper.save()).toBe(false)
    expect(saves).toHaveLength(1)
    expect(tab.kept?.words.text).toBe('later')
  })
})
