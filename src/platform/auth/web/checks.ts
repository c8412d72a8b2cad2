import { z } from 'zod'
import { problemsIn } from '../../../ui/forms/useActionForm.ts'
import { authenticatorCode, email, recoveryCode, signInInput, signUpInput } from '../contract.ts'
import { newPassword, passwordMessages } from '../rules.ts'

const check = (shape: z.ZodType) => (values: object) => problemsIn(shape, values)

/** Form validation from the contract. */
export const authenticator = check(z.object({ code: authenticatorCode }))
export const recovery = check(z.object({ code: recoveryCode }))
export const joining = check(signUpInput.pick({ firstName: true, lastName: true, password: true }))
export const verifying = check(signInInput.pick({ password: true }))
export const signIn = check(signInInput)
export const signUp = check(signUpInput)
export const address = check(z.object({ email }))
export const passwordByLink = check(z.object({ password: newPassword }))
export const passwordChange = check(z.object({ currentPassword: z.string().min(1, passwordMessages.required), password: newPassword }))
