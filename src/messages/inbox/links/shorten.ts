import { randomInt } from 'node:crypto'
import type { Env } from '../../../kernel/env.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { seal } from '../../../kernel/seal.ts'
import { hashToken } from '../../../kernel/tokens.ts'
import { fillPlaceholders, type Secret } from '../receive/placeholders.ts'
import { textLinks } from '../table.ts'
import { expiryOf, patientLinksIn, textLinkPath } from '../link-rules.ts'

/** Letters and digits that are not mistaken for each other. 14 of 58 have 82 bits. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const codeLength = 14
const newCode = (): string => Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')

export const targetPurpose = 'inbox: target of a link'

type NewLink = typeof textLinks.$inferInsert
type Link = Omit<NewLink, 'messageId'>

/**
 * Replaces the addresses of pages for patients in a text by short links, which work once. The message keeps the addresses: only the patient sees
 * the short links. `until`: when what they open ends.
 */
export function shortenLinks(
  { env, now }: Pick<Scope, 'env' | 'now'>,
  { text, secrets, until }: { text: string; secrets: readonly Secret[]; until: Date | null },
): { secrets: Secret[]; links: Link[] } {
  const at = now()
  const made = patientLinksIn(text, env.APP_URL).map(({ url, path, purpose }) => {
    const code = newCode()
    const target = secrets.find(({ standsFor }) => standsFor === url)?.value ?? url
    return {
      secret: { standsFor: url, value: shortLink(env, code) },
      link: {
        codeHash: hashToken(code),
        purpose,
        shownPath: path,
        sealedPath: seal(env, targetPurpose, target.slice(env.APP_URL.length)),
        until,
        expiresAt: expiryOf(at, until),
        createdAt: at,
      },
    }
  })
  const others = secrets.filter(({ standsFor }) => !made.some(({ secret }) => secret.standsFor === standsFor))
  return { secrets: [...others, ...made.map(({ secret }) => secret)], links: made.map(({ link }) => link) }
}

const shortLink = ({ APP_URL }: Pick<Env, 'APP_URL'>, code: string): string => `${APP_URL}${textLinkPath}/${code}`

/** A text as long as it is with short links. */
export const withShortLinks = (env: Pick<Env, 'APP_URL'>, text: string): string =>
  fillPlaceholders(
    patientLinksIn(text, env.APP_URL).map(({ url }) => ({ standsFor: url, value: shortLink(env, 'x'.repeat(codeLength)) })),
    text,
  )

/** Stores links, in the transaction that writes their messages. */
export async function insertLinks(tx: Db, links: readonly NewLink[]): Promise<void> {
  if (links.length > 0) await tx.insert(textLinks).values([...links])
}
