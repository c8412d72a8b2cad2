import { expect, type Page } from '@playwright/test'
import { codeOf } from '../../totp.ts'
import { colleaguePassword } from './colleague.ts'

export const twoFactor = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

/** Turns on two-factor authentication at /settings/security and returns the secret and the recovery codes. */
export async function turnOnTwoFactor(page: Page): Promise<{ secret: string; codes: string[] }> {
  await twoFactor(page).getByRole('button', { name: 'Turn on' }).click()
  const setup = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
  await expect(setup.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(colleaguePassword)
  await page.keyboard.press('Enter')
  const app = page.getByRole('dialog', { name: 'Add this account to your app' })
  await expect(app.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  const secret = (await app.getByLabel('Key').innerText()).replaceAll(' ', '')
  await app.getByLabel('Code from the app').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const recovery = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  const lines = recovery.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(lines).toHaveCount(10)
  const codes = await lines.allInnerTexts()
  await recovery.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(twoFactor(page).getByText('10 recovery codes are left.')).toBeVisible()
  return { secret, codes }
}
