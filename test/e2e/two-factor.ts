import { expect, type Page } from '@playwright/test'
import { codeOf } from '../totp.ts'
import { colleaguePassword } from './colleague.ts'

export const twoFactor = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

/** Turns two-factor authentication on at /settings/security; returns the secret and the recovery codes. */
export async function turnOnTwoFactor(page: Page): Promise<{ secret: string; codes: string[] }> {
  await twoFactor(page).getByRole('button', { name: 'Turn on' }).click()
  const first = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
  await expect(first.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(colleaguePassword)
  await page.keyboard.press('Enter')
  const app = page.getByRole('dialog', { name: 'Add this account to your app' })
  await expect(app.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  const secret = (await app.getByLabel('Key').innerText()).replaceAll(' ', '')
  await app.getByLabel('Code that the app shows').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  const lines = kept.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(lines).toHaveCount(10)
  const codes = await lines.allInnerTexts()
  await kept.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(twoFactor(page).getByText('10 recovery codes are left.')).toBeVisible()
  return { secret, codes }
}
