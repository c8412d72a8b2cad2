import { describe, expect, it } from 'vitest'
import { readEmailSearch } from './email-search.ts'

describe('the URL of the mailbox', () => {
  it('contains the folder, the search, the open thread and the draft', () => {
    const draft = '0197f0a0-0000-7000-8000-000000000001'
    expect(readEmailSearch({ folder: 'sent', show: 'unread', search: ' from:ana ', thread: 'AAMkAG=', draft })).toEqual({
      folder: 'sent',
      show: 'unread',
      search: 'from:ana',
      thread: 'AAMkAG=',
      draft,
    })
  })

  it('accepts an all-digit id unchanged', () => {
    expect(readEmailSearch({ thread: 190001, folder: 12 })).toMatchObject({ thread: '190001', folder: '12' })
  })

  it('ignores invalid parameters', () => {
    const nothing = { folder: undefined, show: undefined, search: undefined, thread: undefined, draft: undefined }
    expect(readEmailSearch({})).toEqual(nothing)
    expect(readEmailSearch({ folder: 'inbox', show: 'all', search: '  ', thread: {}, draft: '1' })).toEqual(nothing)
    expect(readEmailSearch({ folder: ['a'], search: 'x'.repeat(201), thread: 'x'.repeat(1001) })).toEqual(nothing)
  })
})
