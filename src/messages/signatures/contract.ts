import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { languages } from '../../shared/translations.ts'

/** Characters, with the formatting. */
export const maxSignature = 5_000

const signature = z.object({ language: z.enum(languages), html: z.string() })
const tags = ['Own account']

export const signaturesContract = {
  mine: oc
    .route({ method: 'GET', path: '/account/signatures', tags, summary: 'Get the signatures under your emails, by language' })
    .output(z.array(signature)),
  save: oc
    .route({ method: 'PUT', path: '/account/signatures/{language}', tags, summary: 'Change the signature under your emails in a language' })
    .input(
      z.strictObject({
        language: z.enum(languages),
        /** Formatted as an email, without pictures. Null removes it. */
        html: z.string().max(maxSignature, 'This signature is too long').refine(isStorable, notStorable).nullable(),
      }),
    )
    .errors({
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(z.array(signature)),
}
