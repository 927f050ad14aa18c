local x = input "results/e/looks.csv"
