import { describe, expect, it } from 'vitest'
import { readInboxSearch } from './inbox-search.ts'

describe('the URL of the inbox', () => {
  it('contains the list, the search and the open conversation', () => {
    const conversation = '0197f0a0-0000-7000-8000-000000000001'
    expect(readInboxSearch({ show: 'unread', search: ' Ana ', conversation })).toEqual({ show: 'unread', search: 'Ana', conversation })
  })

  it('ignores invalid parameters', () => {
    const nothing = { show: undefined, search: undefined, conversation: undefined }
    expect(readInboxSearch({})).toEqual(nothing)
    expect(readInboxSearch({ show: 'active', search: '  ', conversation: '1' })).toEqual(nothing)
    expect(readInboxSearch({ show: ['unread'], search: 'x'.repeat(101), conversation: {} })).toEqual(nothing)
    expect(readInboxSearch({ search: 905 }).search).toBe('905')
  })
})
