import { z } from 'zod'

/** Same rules as the contract. */
export const isEmail = (text: string): boolean => z.email().safeParse(text).success
