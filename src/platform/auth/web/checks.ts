import { zodResolver } from '@hookform/resolvers/zod'
import { z } from 'zod'
import { authenticatorCode, email, recoveryCode, signInInput, signUpInput } from '../contract.ts'
import { newPassword, passwordMessages } from '../rules.ts'

/** The forms' checks, from the contract. */
export const authenticator = zodResolver(z.object({ code: authenticatorCode }))
export const recovery = zodResolver(z.object({ code: recoveryCode }))
export const joining = zodResolver(signUpInput.pick({ firstName: true, lastName: true, password: true }))
export const verifying = zodResolver(signInInput.pick({ password: true }))
export const signIn = zodResolver(signInInput)
export const signUp = zodResolver(signUpInput)
export const address = zodResolver(z.object({ email }))
export const passwordByLink = zodResolver(z.object({ currentPassword: z.string(), password: newPassword }))
export const passwordChange = zodResolver(
  z.object({ currentPassword: z.string().min(1, passwordMessages.required), password: newPassword }),
)
