import { describe, expect, it } from 'vitest'
import { urlsOf } from './hosts.ts'

describe('the hosts of a database URL', () => {
  it.each([
    ['postgresql://clinic:pw@one:5432/refyne', ['postgresql://clinic:pw@one:5432/refyne']],
    [
      'postgresql://clinic:pw@one:5432,two:5433/refyne?sslmode=require',
      ['postgresql://clinic:pw@one:5432/refyne?sslmode=require', 'postgresql://clinic:pw@two:5433/refyne?sslmode=require'],
    ],
    [
      'postgresql://one,two/refyne?target_session_attrs=read-write&sslmode=require',
      ['postgresql://one/refyne?sslmode=require', 'postgresql://two/refyne?sslmode=require'],
    ],
    [
      'postgresql://one,two/refyne?sslmode=require&target_session_attrs=read-write',
      ['postgresql://one/refyne?sslmode=require', 'postgresql://two/refyne?sslmode=require'],
    ],
    ['postgresql://clinic@localhost/refyne?host=%2Ftmp%2Fsocket', ['postgresql://clinic@localhost/refyne?host=%2Ftmp%2Fsocket']],
    [
      'postgresql://clinic:a%40b%2Cc@one,two/refyne',
      ['postgresql://clinic:a%40b%2Cc@one/refyne', 'postgresql://clinic:a%40b%2Cc@two/refyne'],
    ],
    ['postgresql://clinic:a,b@one/refyne', ['postgresql://clinic:a,b@one/refyne']],
    ['postgresql://clinic:a@b,c@one,two/refyne', ['postgresql://clinic:a@b,c@one/refyne', 'postgresql://clinic:a@b,c@two/refyne']],
  ])('of %s', (url, urls) => expect(urlsOf(url)).toEqual(urls))
})
