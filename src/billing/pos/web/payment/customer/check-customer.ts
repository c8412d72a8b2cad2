import { z } from 'zod'

/** As the contract judges it. */
export const isEmail = (text: string): boolean => z.email().safeParse(text).success
