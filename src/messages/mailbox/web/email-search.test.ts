import { describe, expect, it } from 'vitest'
import { readEmailSearch } from './email-search.ts'

describe('issue 7: the address of the mailbox', () => {
  it('says the folder, what is searched, the open thread and what is being written', () => {
    const draft = '0197f0a0-0000-7000-8000-000000000001'
    expect(readEmailSearch({ folder: 'sent', show: 'unread', search: ' from:ana ', thread: 'AAMkAG=', draft })).toEqual({
      folder: 'sent',
      show: 'unread',
      search: 'from:ana',
      thread: 'AAMkAG=',
      draft,
    })
  })

  it('takes an id of digits alone as it stands', () => {
    expect(readEmailSearch({ thread: 190001, folder: 12 })).toMatchObject({ thread: '190001', folder: '12' })
  })

  it('makes nothing of what makes no sense', () => {
    const nothing = { folder: undefined, show: undefined, search: undefined, thread: undefined, draft: undefined }
    expect(readEmailSearch({})).toEqual(nothing)
    expect(readEmailSearch({ folder: 'inbox', show: 'all', search: '  ', thread: {}, draft: '1' })).toEqual(nothing)
    expect(readEmailSearch({ folder: ['a'], search: 'x'.repeat(201), thread: 'x'.repeat(1001) })).toEqual(nothing)
  })
})
