import { eq } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { forwardCookies } from '../requests.ts'
import { sessions } from '../table.ts'

/** Signs an account in. `provenAt`: when the person proved who they are, if that was earlier. */
export async function openSession(context: Context, userId: string, provenAt?: Date | null): Promise<void> {
  const { response, headers } = await context.auth.api.openDirectSession({
    body: { userId },
    headers: context.requestHeaders,
    returnHeaders: true,
  })
  if (provenAt && provenAt < new Date()) await context.db.update(sessions).set({ provenAt }).where(eq(sessions.id, response.id))
  forwardCookies(context, headers)
}

/** Asks for the second factor next. */
export async function askSecondStep(context: Context, userId: string): Promise<void> {
  const { headers } = await context.auth.api.beginSecondStep({ body: { userId }, headers: context.requestHeaders, returnHeaders: true })
  forwardCookies(context, headers)
}
